import { KervanError } from '@kervan/contract';

/** Turns that may be waited for; whoever comes after them is refused. */
const WAITING_WINDOWS = 3;

/**
 * Hands out turns, at most `max` a key within any `windowMs`.
 *
 * @returns when the caller's turn is, in the clock's milliseconds, never in the past. Throws RATE_LIMITED
 * {retryAfterSec} where too many wait already.
 */
export function createTurns(max: number, windowMs: number, now: () => number) {
  const taken = new Map<string, number[]>();

  return (key: string): number => {
    const current = now();
    for (const [each, times] of taken) {
      if ((times.at(-1) ?? 0) + windowMs <= current) taken.delete(each);
      // In order of their last turn, near enough: the first that is still of use ends it.
      else break;
    }
    const times = (taken.get(key) ?? []).filter((at) => at + windowMs > current);
    const blocking = times.at(-max);
    const turn = blocking === undefined ? current : Math.max(current, blocking + windowMs);
    if (turn - current > WAITING_WINDOWS * windowMs) {
      throw new KervanError('RATE_LIMITED', { retryAfterSec: Math.ceil((turn - current) / 1000) });
    }
    times.push(turn);
    taken.delete(key);
    taken.set(key, times);
    return turn;
  };
}
