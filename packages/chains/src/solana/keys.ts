import { createPrivateKey, createPublicKey, getRandomValues, sign, type KeyObject } from 'node:crypto';
import { KervanError } from '@kervan/contract';
import { getAddressDecoder, getBase58Decoder, getBase58Encoder, isAddress, type Address } from '@solana/kit';
import { z } from 'zod';
import type { KeyMaterial } from '../port.ts';

const seedLength = 32;
const secretKeySchema = z.array(z.int().min(0).max(255)).length(2 * seedLength);

/** An array over 64 lines is well below; reading base58 takes time that grows with the square. */
const longestKeyText = 1_000;

/** PKCS #8 of an Ed25519 key (RFC 8410) up to the 32 bytes of the key itself. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A new key: 32 random bytes and the address of their public key. */
export function createKey(): KeyMaterial {
  return keyMaterial(getRandomValues(new Uint8Array(seedLength)));
}

/**
 * Reads a secret key as Solana's tools write it: 64 bytes, the seed and the public key, in base58 or as a JSON
 * array. Throws PRIVATE_KEY_INVALID, without a cause: the decoders' messages quote what they could not read.
 */
export function importKey(text: string): KeyMaterial {
  const bytes = readSecretKey(text.trim());
  if (bytes?.length !== 2 * seedLength) throw new KervanError('PRIVATE_KEY_INVALID');
  const key = keyMaterial(bytes.slice(0, seedLength));
  const isWhole = key.address === getAddressDecoder().decode(bytes, seedLength);
  bytes.fill(0);
  if (isWhole) return key;
  key.secret.fill(0);
  throw new KervanError('PRIVATE_KEY_INVALID');
}

/** Base58 of the 64 bytes (seed, public key) that other wallets import. */
export function exportKey(seed: Uint8Array): string {
  const bytes = Buffer.concat([seed, publicKeyBytes(privateKey(seed))]);
  const text = getBase58Decoder().decode(bytes);
  bytes.fill(0);
  return text;
}

/** The address in the one form it has (base58 of 32 bytes), or undefined if the text is none. */
export function parseAddress(text: string): Address | undefined {
  const trimmed = text.trim();
  return isAddress(trimmed) ? trimmed : undefined;
}

/** Ed25519 signature of a message by the key of a seed, and that key's address. */
export function signMessage(
  message: Uint8Array,
  seed: Uint8Array,
): { address: Address; signature: Uint8Array } {
  const key = privateKey(seed);
  return { address: getAddressDecoder().decode(publicKeyBytes(key)), signature: sign(null, message, key) };
}

function readSecretKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > longestKeyText) return undefined;
  try {
    if (!text.startsWith('[')) return Uint8Array.from(getBase58Encoder().encode(text));
    return Uint8Array.from(secretKeySchema.parse(JSON.parse(text)));
  } catch {
    return undefined;
  }
}

function keyMaterial(seed: Uint8Array<ArrayBuffer>): KeyMaterial {
  return { address: getAddressDecoder().decode(publicKeyBytes(privateKey(seed))), secret: seed };
}

function privateKey(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([pkcs8Prefix, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  return key;
}

// The last 32 bytes of the SubjectPublicKeyInfo form are the key.
function publicKeyBytes(key: KeyObject): Uint8Array {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-seedLength);
}
