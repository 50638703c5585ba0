import type { Action, Chain, DexVersion, Network, TradeSource } from '@kervan/contract';
import type { GasChoice, TransferAsset } from '@kervan/chains';
import type { TradeLimits } from '@kervan/domain';

/** What a feature asks the executor for. */
export type TradeIntent = SwapIntent | TransferIntent;

interface Intent {
  /** Unique per user: the same key is the same trade, however often it is asked for. */
  readonly idempotencyKey: string;
  readonly userId: string;
  /** Who signs and pays. Without an id where the key was pasted: it is held in memory, and its name is its address. */
  readonly wallet: { readonly id: string | null; readonly name: string; readonly address: string };
  readonly chain: Chain;
  readonly network: Network;
  readonly source: TradeSource;
  readonly sourceId: string | null;
  readonly sourceName: string | null;
}

interface IntentToken {
  readonly address: string;
  readonly symbol: string | null;
  readonly decimals: number;
}

export interface SwapIntent extends Intent {
  readonly kind?: 'swap';
  readonly action: Action;
  readonly token: IntentToken;
  /** Native base units for a buy, token base units for a sell. */
  readonly amountInUnits: bigint;
  readonly slippageBps: number;
  /** BSC only. */
  readonly dexVersion: DexVersion | null;
  /** BSC only; null pays what is usual. */
  readonly gas: GasChoice | null;
  /** Trades with the same one land together or not at all; only where the network has bundles. */
  readonly bundleId?: string;
  readonly limits: TradeLimits;
  /** Native value that the limits weigh; see limit-value.ts. Counts only under limits. */
  readonly limitValueUnits: bigint;
}

/** Moves what the wallet holds to another address. Limits are for trades and don't weigh it; everything else does. */
export interface TransferIntent extends Intent {
  readonly kind: 'transfer';
  readonly recipient: string;
  readonly asset:
    Exclude<TransferAsset, { kind: 'token' }> | { readonly kind: 'token'; readonly token: IntentToken };
}
