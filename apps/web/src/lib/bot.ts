import { NATIVE, type BscBot, type Chain, type Language, type SolanaBot } from '@kervan/contract';
import { formatExact } from './format.ts';

export type Bot = SolanaBot | BscBot;

/** What a bot's amounts are in: native for buys, its token for sells; empty while the token has no name. */
export function amountSymbol(
  chain: Chain,
  { action, token_symbol }: Pick<Bot, 'action' | 'token_symbol'>,
): string {
  return action === 'buy' ? NATIVE[chain].symbol : (token_symbol ?? '');
}

/** "0.01 – 0.02": the two ends as they were typed. */
export function formatRange(min: number, max: number, language: Language): string {
  return `${formatExact(String(min), language)} – ${formatExact(String(max), language)}`;
}

export interface TimeLeft {
  /** Whole seconds until the next run, never below 0. */
  seconds: number;
  /** Share of the interval that has passed, 0 to 1. */
  progress: number;
}

/** How far a bot is on its way to the next run; undefined while none is scheduled. */
export function timeLeft(
  { nextRunAt, intervalSec }: Pick<Bot, 'nextRunAt' | 'intervalSec'>,
  now: number,
): TimeLeft | undefined {
  if (nextRunAt === null || intervalSec === null || intervalSec <= 0) return undefined;
  // A clock that differs from the server's shows at most the whole interval.
  const left = Math.min(Math.max((nextRunAt - now) / 1000, 0), intervalSec);
  return { seconds: Math.ceil(left), progress: 1 - left / intervalSec };
}

/** Seconds as "2:05" or "1:00:00". */
export function formatClock(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    seconds % 60,
  ];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
