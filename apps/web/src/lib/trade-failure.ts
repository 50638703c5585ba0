import type { BotLog, ErrorContext } from '@kervan/contract';

export interface TradeFailure {
  tradeId: string;
  /** An error code of the contract, and what fills its sentence. */
  code: string;
  context: ErrorContext;
}

/** Why a trade failed, from the log line that tells of it; undefined for any other line. */
export function tradeFailureOf({ level, data }: Pick<BotLog, 'level' | 'data'>): TradeFailure | undefined {
  // Busy bots log much: only what can be such a line is read.
  if (level !== 'error' || data === null) return undefined;
  const figures = parse(data);
  const { code, reason, tradeId } = figures;
  if (code !== 'TRADE_FAILED' || typeof reason !== 'string' || typeof tradeId !== 'string') return undefined;
  return { tradeId, code: reason, context: figures };
}

function parse(text: string): ErrorContext {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ErrorContext) : {}; // the contract's promise for `data`
  } catch {
    return {};
  }
}
