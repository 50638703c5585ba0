import { createHash } from 'node:crypto';
import { NATIVE } from '@kervan/contract';
import type { BotRow } from '@kervan/database';
import { drawAmount, drawDelayMs, unitsFromNumber } from '@kervan/domain';

export type AmountFields = Pick<BotRow, 'chain' | 'action' | 'amount_min' | 'amount_max' | 'token_decimals'>;

/** Decimals of the amounts that a bot is given: native for buys, the token's for sells; null while it has no token. */
export function amountDecimals(bot: AmountFields): number | null {
  return bot.action === 'buy' ? NATIVE[bot.chain].decimals : bot.token_decimals;
}

/** The typed amounts in base units, or undefined where the token is too coarse for them or there is none yet. */
export function amountBounds(bot: AmountFields): { minUnits: bigint; maxUnits: bigint } | undefined {
  const decimals = amountDecimals(bot);
  if (decimals === null) return undefined;
  const minUnits = unitsFromNumber(bot.amount_min, decimals);
  const maxUnits = unitsFromNumber(bot.amount_max, decimals);
  if (minUnits === undefined || maxUnits === undefined) return undefined;
  return { minUnits, maxUnits };
}

/** What the run `run` trades, in base units. */
export function runAmount(bot: AmountFields & Pick<BotRow, 'seed'>, run: bigint): bigint | undefined {
  const bounds = amountBounds(bot);
  return bounds && drawAmount(bot.seed, run, bounds.minUnits, bounds.maxUnits);
}

/** How long before `run` the bot waits: the delay is drawn by the run (or the start) that precedes it. */
export function delayBefore(
  bot: Pick<BotRow, 'seed' | 'range_time_min' | 'range_time_max'>,
  run: bigint,
): number {
  return drawDelayMs(bot.seed, run - 1n, bot.range_time_min, bot.range_time_max);
}

/**
 * The draw number of a trade outside the schedule: the same for the same key, and beyond every run number, so that
 * it foretells no run.
 */
export function drawNumberOf(key: string): bigint {
  const digest = createHash('sha256').update(key).digest();
  return (1n << 64n) + digest.readBigUInt64BE(0);
}
