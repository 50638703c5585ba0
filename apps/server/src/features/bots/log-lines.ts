import { errorMessage, NATIVE, type ErrorCode, type ErrorContext, type LogLevel } from '@kervan/contract';
import type { BotRow, TradeRow } from '@kervan/database';
import { formatUnits } from '@kervan/domain';
import { tradeError } from '../../engine/to-trade.ts';

/** One entry of a bot's console. `data.code` names the event for translation; the rest are its figures. */
export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly data: { readonly code: string } & ErrorContext;
}

const PRICE_DECIMALS = 18;

export function startedLine(bot: Pick<BotRow, 'interval_ms'>): LogLine {
  const intervalSec = (bot.interval_ms ?? 0) / 1000;
  return {
    level: 'info',
    message: `Bot started. First run in ${Math.round(intervalSec)} s.`,
    data: { code: 'BOT_STARTED', intervalSec },
  };
}

export function stoppedLine(): LogLine {
  return { level: 'info', message: 'Bot stopped.', data: { code: 'BOT_STOPPED' } };
}

export function stoppedAfterFailuresLine(failures: number): LogLine {
  return {
    level: 'error',
    message: `Bot stopped by itself after ${failures} failed trades in a row.`,
    data: { code: 'BOT_STOPPED_AFTER_FAILURES', failures },
  };
}

export function editedLine(fields: readonly string[]): LogLine {
  return {
    level: 'info',
    message: `Bot settings changed: ${fields.join(', ')}.`,
    data: { code: 'BOT_EDITED', fields: fields.join(',') },
  };
}

type Planned = Pick<
  TradeRow,
  'id' | 'chain' | 'action' | 'amount_in_units' | 'token_decimals' | 'token_symbol'
>;

/** `run` is null for a trade outside the schedule. */
export function plannedLine(trade: Planned, run: bigint | null): LogLine {
  const native = NATIVE[trade.chain];
  const isBuy = trade.action === 'buy';
  const amount = formatUnits(trade.amount_in_units, isBuy ? native.decimals : trade.token_decimals);
  const symbol = isBuy ? native.symbol : (trade.token_symbol ?? 'tokens');
  const what = run === null ? 'Trade now' : `Run ${run + 1n}`;
  return {
    level: 'info',
    message: `${what}: ${isBuy ? 'buying for' : 'selling'} ${amount} ${symbol}.`,
    data: {
      code: run === null ? 'TRADE_NOW' : 'RUN_PLANNED',
      run: run === null ? null : Number(run) + 1,
      action: trade.action,
      amount,
      symbol,
      tradeId: trade.id,
    },
  };
}

/** A run, or a trade that ended, without anything that could have been traded. */
export function couldNotTradeLine(
  error: { readonly code: string; readonly message: string },
  figures: ErrorContext,
): LogLine {
  return {
    level: 'warning',
    message: `Could not trade: ${error.message}`,
    data: { ...figures, code: 'COULD_NOT_TRADE', reason: error.code },
  };
}

export function refusedRunLine(code: ErrorCode, context: ErrorContext, run: bigint): LogLine {
  return couldNotTradeLine(
    { code, message: errorMessage(code, context) },
    { ...context, run: Number(run) + 1 },
  );
}

export function endedLine(trade: TradeRow): LogLine {
  if (trade.state === 'success') return successLine(trade);
  const error = tradeError(trade) ?? { code: 'INTERNAL', message: errorMessage('INTERNAL') };
  const figures = { ...trade.error_context, action: trade.action, tradeId: trade.id };
  if (trade.state === 'cancelled') return couldNotTradeLine(error, figures);
  return {
    level: 'error',
    message: `Trade failed: ${error.message}`,
    data: { ...figures, code: 'TRADE_FAILED', reason: error.code, transactionHash: trade.tx_id },
  };
}

function successLine(trade: TradeRow): LogLine {
  const native = NATIVE[trade.chain];
  const amountSol = formatUnits(trade.native_units ?? 0n, native.decimals);
  const amountTokens = formatUnits(trade.token_units ?? 0n, trade.token_decimals);
  const symbol = trade.token_symbol ?? 'tokens';
  const message =
    trade.action === 'buy'
      ? `Bought ${amountTokens} ${symbol} for ${amountSol} ${native.symbol}.`
      : `Sold ${amountTokens} ${symbol} for ${amountSol} ${native.symbol}.`;
  return {
    level: 'success',
    message,
    data: {
      code: 'TRADE_SUCCESS',
      action: trade.action,
      amountSol,
      amountTokens,
      nativeSymbol: native.symbol,
      tokenSymbol: trade.token_symbol,
      price: price(trade),
      transactionHash: trade.tx_id,
      tradeId: trade.id,
    },
  };
}

/** Native units for one token, rounded down at 18 decimals. */
function price(trade: TradeRow): string | null {
  if (trade.native_units === null || !trade.token_units) return null;
  const scale = PRICE_DECIMALS + trade.token_decimals - NATIVE[trade.chain].decimals;
  const units = (trade.native_units * 10n ** BigInt(scale)) / trade.token_units;
  return formatUnits(units, PRICE_DECIMALS);
}
