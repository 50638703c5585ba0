import { KervanError } from '@kervan/contract';
import type { Clock } from '../../lib/clock.ts';

export interface AttemptLimiter {
  /** Throws RATE_LIMITED {retryAfterSec} when there were too many attempts for the key. */
  check(key: string): void;
  /** Counts an attempt for the key. Throws RATE_LIMITED {retryAfterSec} when there were too many. */
  take(key: string): { giveBack(): void };
}

/** Keys remembered at most; beyond that the oldest go first. */
const KEYS_MAX = 10_000;

/** Counts an attempt with all limiters, or with none when one of them refuses it. */
export function takeAll(...wanted: [limiter: AttemptLimiter, key: string][]): { giveBack(): void }[] {
  for (const [limiter, key] of wanted) limiter.check(key);
  return wanted.map(([limiter, key]) => limiter.take(key));
}

/** At most `max` attempts a key within any `windowMs`, in this process. */
export function createAttemptLimiter(max: number, windowMs: number, clock: Clock): AttemptLimiter {
  const attempts = new Map<string, number[]>();

  /** The attempts that still count. */
  function allowed(key: string, now: number): number[] {
    const recent = (attempts.get(key) ?? []).filter((at) => now - at < windowMs);
    const [oldest] = recent;
    if (oldest === undefined || recent.length < max) return recent;
    throw new KervanError('RATE_LIMITED', { retryAfterSec: Math.ceil((oldest + windowMs - now) / 1000) });
  }

  return {
    check: (key) => void allowed(key, clock().getTime()),
    take(key) {
      const now = clock().getTime();
      const recent = allowed(key, now);
      recent.push(now);
      // Deleted first, so that the map's order is that of last use.
      attempts.delete(key);
      attempts.set(key, recent);
      if (attempts.size > KEYS_MAX) {
        const [first] = attempts.keys();
        if (first !== undefined) attempts.delete(first);
      }
      return {
        giveBack() {
          const current = attempts.get(key) ?? [];
          const index = current.indexOf(now);
          if (index !== -1) current.splice(index, 1);
        },
      };
    },
  };
}
