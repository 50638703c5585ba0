import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

/**
 * A draw: HMAC-SHA256(seed, "<number>:<purpose>") reduced to a range, both ends included. Random to whoever lacks the
 * seed, the same again for its owner. 256 bits over ranges far below 2^128 leave no visible bias.
 */
export function drawInRange(
  seed: Uint8Array,
  number: bigint,
  purpose: string,
  min: bigint,
  max: bigint,
): bigint {
  const digest = hmac(sha256, seed, new TextEncoder().encode(`${number}:${purpose}`));
  const drawn = digest.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  return min + (drawn % (max - min + 1n));
}
