import {
  errorMessage,
  isErrorCode,
  type FastSwapLeg,
  type FastSwapResult,
  type Language,
} from '@kervan/contract';
import type { TradeRow } from '@kervan/database';
import { isOpen } from '@kervan/domain';
import { toTrade } from '../../engine/to-trade.ts';
import type { FastSwapRecord, PlannedLeg } from './repository.ts';

/** How a fast swap stands, from what was planned and from its trades. */
export function toResult(
  record: FastSwapRecord,
  trades: readonly TradeRow[],
  language: Language,
): FastSwapResult {
  const byAddress = new Map(trades.map((trade) => [trade.wallet_address, trade]));
  const legs = record.legs.map((leg) => toLeg(leg, byAddress.get(leg.address), language));
  return {
    id: record.id,
    isFinal: trades.every((trade) => !isOpen(trade.state)),
    signatures: record.legs.flatMap(({ address }) => signatureOf(byAddress.get(address)) ?? []),
    failed: legs.flatMap(({ walletId, address, error }) =>
      error ? { walletId: walletId ?? address, error: error.message } : [],
    ),
    legs,
  };
}

/** Of a swap that landed; marked where it landed in a bundle (spec §3). */
function signatureOf(trade: TradeRow | undefined): string | undefined {
  if (trade?.state !== 'success' || trade.tx_id === null) return undefined;
  return trade.bundle_id === null ? trade.tx_id : `bundle:${trade.tx_id}`;
}

function toLeg(leg: PlannedLeg, trade: TradeRow | undefined, language: Language): FastSwapLeg {
  const { walletId, walletName, address } = leg;
  return {
    walletId,
    walletName,
    address,
    isAtomic: trade !== undefined && trade.bundle_id !== null,
    trade: trade ? toTrade(trade, language) : null,
    error: trade ? tradeError(trade, language) : leg.error && describeError(leg.error, language),
  };
}

function tradeError(
  { error_code: code, error_context: context }: TradeRow,
  language: Language,
): FastSwapLeg['error'] {
  if (code === null) return null;
  return describeError({ code, context: context ?? {} }, language);
}

/** An error as the API tells it of one wallet among others. */
export function describeError(
  { code, context }: { readonly code: string; readonly context: NonNullable<TradeRow['error_context']> },
  language: Language,
): NonNullable<FastSwapLeg['error']> {
  const message = isErrorCode(code) ? errorMessage(code, context, language) : code;
  return { code, message, context: { ...context } };
}
