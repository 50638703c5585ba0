import { NATIVE } from '@kervan/contract';
import type { TransferAsset, TransferTerms } from '@kervan/chains';
import type { TradeRow } from '@kervan/database';
import { NO_LIMITS, type TradeKind } from '@kervan/domain';
import type { SwapIntent, TradeIntent, TransferIntent } from './intent.ts';

/** An intent in the form in which both kinds are stored. */
export interface StoredIntent extends Omit<SwapIntent, 'kind'> {
  readonly kind: TradeKind;
  readonly recipient: string | null;
}

export function asStored(intent: TradeIntent): StoredIntent {
  if (intent.kind !== 'transfer') return { ...intent, kind: 'swap', recipient: null };
  const { asset, ...rest } = intent;
  return {
    ...rest,
    action: 'sell',
    token: tokenOf(intent),
    amountInUnits: asset.kind === 'native' ? asset.amountUnits : 0n,
    slippageBps: 0,
    dexVersion: null,
    gas: null,
    limits: NO_LIMITS,
    limitValueUnits: 0n,
  };
}

function tokenOf({ asset, chain }: TransferIntent): SwapIntent['token'] {
  if (asset.kind === 'token') return asset.token;
  const { symbol, decimals } = NATIVE[chain];
  return { address: '', symbol, decimals };
}

/** What a stored transfer moves and to whom; undefined for a swap. */
export function transferTerms(trade: TradeRow): TransferTerms | undefined {
  if (trade.recipient === null) return undefined;
  return { recipient: trade.recipient, asset: assetOf(trade) };
}

function assetOf({ token_address: tokenAddress, amount_in_units: amountUnits }: TradeRow): TransferAsset {
  if (tokenAddress !== '') return { kind: 'token', tokenAddress };
  return amountUnits === 0n ? { kind: 'native-rest' } : { kind: 'native', amountUnits };
}
