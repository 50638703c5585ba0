import { randomFillSync } from 'node:crypto';
import { KervanError } from '@kervan/contract';
import { publicKeyToAddress } from 'viem/accounts';
import { isPrivate, pointFromScalar } from 'tiny-secp256k1';
import { bytesToHex, type Address } from 'viem';
import type { KeyMaterial } from '../port.ts';

/** A new secp256k1 key from the system's randomness. */
export function createKey(): KeyMaterial {
  const secret = new Uint8Array(32);
  // Nearly all numbers of 32 bytes are keys; the few from the curve's order on are not.
  do randomFillSync(secret);
  while (!isPrivate(secret));
  return { address: addressOfKey(secret), secret };
}

/** Reads 64 hex digits with or without 0x. Throws PRIVATE_KEY_HEX_INVALID, never with the text. */
export function importKey(text: string): KeyMaterial {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text.trim())?.[1];
  if (digits === undefined) throw new KervanError('PRIVATE_KEY_HEX_INVALID');
  // Not from Buffer.from(hex): short buffers share one memory pool, which can't be wiped.
  const secret = Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
  if (isPrivate(secret)) return { address: addressOfKey(secret), secret };
  secret.fill(0);
  throw new KervanError('PRIVATE_KEY_HEX_INVALID');
}

/** 0x and 64 hex digits, as EVM wallets import it. */
export function exportKey(secret: Uint8Array): string {
  return bytesToHex(secret);
}

export function addressOfKey(secret: Uint8Array): Address {
  const publicKey = pointFromScalar(secret, false);
  if (publicKey === null) throw new TypeError('Not a key of secp256k1');
  return publicKeyToAddress(bytesToHex(publicKey));
}
