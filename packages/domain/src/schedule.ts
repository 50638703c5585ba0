import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { BOT_INTERVAL_MIN_SEC } from '@kervan/contract';

/**
 * Draws of a bot's runs. Each is HMAC-SHA256(seed, "<run>:<purpose>") reduced to a range: random to whoever
 * lacks the seed, the same again for its owner. 256 bits over ranges far below 2^128 leave no visible bias.
 */
function draw(seed: Uint8Array, run: bigint, purpose: string): bigint {
  const digest = hmac(sha256, seed, new TextEncoder().encode(`${run}:${purpose}`));
  return digest.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function inRange(number: bigint, min: bigint, max: bigint): bigint {
  return min + (number % (max - min + 1n));
}

/**
 * The amount of a run in base units, between `minUnits` and `maxUnits`, both included, and at least 1: a range may
 * begin at 0 (spec §5, sells), a trade may not.
 */
export function drawAmount(seed: Uint8Array, run: bigint, minUnits: bigint, maxUnits: bigint): bigint {
  const min = minUnits > 1n ? minUnits : 1n;
  const max = maxUnits > min ? maxUnits : min;
  return inRange(draw(seed, run, 'amount'), min, max);
}

/**
 * The delay before the run after `run`, in milliseconds, between the bounds in seconds, both included
 * (spec §4: the minimum is at least 5 s, the maximum at least the minimum).
 */
export function drawDelayMs(seed: Uint8Array, run: bigint, minSec: number, maxSec: number): number {
  const min = Math.max(BOT_INTERVAL_MIN_SEC, minSec) * 1000;
  const max = Math.max(min, maxSec * 1000);
  return Number(inRange(draw(seed, run, 'delay'), BigInt(min), BigInt(max)));
}
