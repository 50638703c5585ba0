import type { Action, Chain, DexVersion, Network, TradeSource } from '@kervan/contract';
import type { TradeLimits } from '@kervan/domain';

/** What a feature asks the executor for. */
export interface TradeIntent {
  /** Unique per user: the same key is the same trade, however often it is asked for. */
  readonly idempotencyKey: string;
  readonly userId: string;
  readonly wallet: { readonly id: string; readonly name: string; readonly address: string };
  readonly chain: Chain;
  readonly network: Network;
  readonly source: TradeSource;
  readonly sourceId: string | null;
  readonly sourceName: string | null;
  readonly action: Action;
  readonly token: { readonly address: string; readonly symbol: string | null; readonly decimals: number };
  /** Native base units for a buy, token base units for a sell. */
  readonly amountInUnits: bigint;
  readonly slippageBps: number;
  /** BSC only. */
  readonly dexVersion: DexVersion | null;
  readonly limits: TradeLimits;
  /** Native value that the limits weigh; see limit-value.ts. Counts only under limits. */
  readonly limitValueUnits: bigint;
}
