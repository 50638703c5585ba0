import { BOT_INTERVAL_MIN_SEC } from '@kervan/contract';
import { drawInRange } from './draw.ts';

/**
 * The amount of a run in base units, between `minUnits` and `maxUnits`, both included, and at least 1: a range may
 * begin at 0 (spec §5, sells), a trade may not.
 */
export function drawAmount(seed: Uint8Array, run: bigint, minUnits: bigint, maxUnits: bigint): bigint {
  const min = minUnits > 1n ? minUnits : 1n;
  const max = maxUnits > min ? maxUnits : min;
  return drawInRange(seed, run, 'amount', min, max);
}

/**
 * The delay before the run after `run`, in milliseconds, between the bounds in seconds, both included
 * (spec §4: the minimum is at least 5 s, the maximum at least the minimum).
 */
export function drawDelayMs(seed: Uint8Array, run: bigint, minSec: number, maxSec: number): number {
  const min = Math.max(BOT_INTERVAL_MIN_SEC, minSec) * 1000;
  const max = Math.max(min, maxSec * 1000);
  return Number(drawInRange(seed, run, 'delay', BigInt(min), BigInt(max)));
}
