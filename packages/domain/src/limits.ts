/** Limits a trade is planned under, in native base units; null is no limit. */
export interface TradeLimits {
  readonly perTradeUnits: bigint | null;
  readonly perWalletDayUnits: bigint | null;
}

export const NO_LIMITS: TradeLimits = { perTradeUnits: null, perWalletDayUnits: null };

export function hasLimits(limits: TradeLimits): boolean {
  return limits.perTradeUnits !== null || limits.perWalletDayUnits !== null;
}

export type LimitVerdict = 'ok' | 'LIMIT_PER_TRADE' | 'LIMIT_PER_WALLET_DAY';

/**
 * Whether a trade worth `valueUnits` may be planned when the wallet's other trades of the same UTC day,
 * landed or still open, are worth `usedTodayUnits`.
 */
export function checkLimits(limits: TradeLimits, valueUnits: bigint, usedTodayUnits: bigint): LimitVerdict {
  if (limits.perTradeUnits !== null && valueUnits > limits.perTradeUnits) return 'LIMIT_PER_TRADE';
  if (limits.perWalletDayUnits !== null && usedTodayUnits + valueUnits > limits.perWalletDayUnits)
    return 'LIMIT_PER_WALLET_DAY';
  return 'ok';
}

/** Start of the UTC day that a daily limit counts from. */
export function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}
