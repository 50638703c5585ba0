import { NATIVE, type TradeDetail } from '@kervan/contract';
import type { AttemptRow, TradeRow } from '@kervan/database';
import { formatUnits, PRICE_DECIMALS } from '@kervan/domain';
import { toTrade } from '../../engine/to-trade.ts';

const GWEI_DECIMALS = 9;

/** A stored trade with its attempts, in their order, as the API shows it. */
export function toTradeDetail(row: TradeRow, attempts: readonly AttemptRow[]): TradeDetail {
  const hasLanded = attempts.some(({ state, tx_id }) => state === 'landed' && tx_id === row.tx_id);
  return {
    ...toTrade(row),
    slippage_bps: row.slippage_bps,
    dex_version: row.dex_version,
    native_price:
      row.native_price_units === null ? null : formatUnits(row.native_price_units, PRICE_DECIMALS),
    life: {
      planned_at: row.planned_at.toISOString(),
      simulated_at: timeOf(row.simulated_at),
      signed_at: timeOf(row.signed_at),
      sent_at: timeOf(row.sent_at),
      landed_at: hasLanded ? timeOf(row.executed_at) : null,
      ended_at: timeOf(row.ended_at),
    },
    attempts: attempts.map((attempt) => toAttempt(row, attempt)),
  };
}

function toAttempt(trade: TradeRow, attempt: AttemptRow): TradeDetail['attempts'][number] {
  const { purpose } = attempt;
  if (purpose === 'transfer') throw new Error('a transfer is no trade to be shown');
  return {
    number: attempt.number,
    purpose,
    state: attempt.state,
    transaction_hash: attempt.tx_id,
    nonce: attempt.nonce?.toString() ?? null,
    last_valid_block_height: attempt.last_valid_block_height?.toString() ?? null,
    gas_price_gwei:
      attempt.gas_price_units === null ? null : formatUnits(attempt.gas_price_units, GWEI_DECIMALS),
    fee: attempt.fee_units === null ? null : formatUnits(attempt.fee_units, NATIVE[trade.chain].decimals),
    height: attempt.height?.toString() ?? null,
    created_at: attempt.created_at.toISOString(),
    ended_at: timeOf(attempt.ended_at),
  };
}

function timeOf(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
