import { getAddressEncoder, isAddress, type Address } from '@solana/kit';
import { base58Of } from './base58.ts';

// Base58 costs microseconds a key and a transaction has dozens: both directions are remembered.
const addressBytes = 32;
const rememberedKeys = 200_000;
const textByBytes = new Map<string, Address>();
const bytesByText = new Map<string, Uint8Array>();
const encoder = getAddressEncoder();

export type { Address };

/** The base58 text of 32 bytes. */
export function addressOf(bytes: Uint8Array): Address {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, addressBytes).toString('latin1');
  const known = textByBytes.get(key);
  if (known) return known;
  const own = Uint8Array.from(bytes.subarray(0, addressBytes));
  const text = base58Of(own);
  if (!hasAddressLength(text)) throw new RangeError('An address has 32 bytes');
  remember(key, text, own);
  return text;
}

/** The base58 text of 32 bytes is an address: kit's own check, which decodes it again, has nothing to add. */
function hasAddressLength(text: string): text is Address {
  return text.length >= 32 && text.length <= 44;
}

/** The 32 bytes of an address; they are shared, so never write to them. */
export function bytesOf(address: Address): Uint8Array {
  const known = bytesByText.get(address);
  if (known) return known;
  const bytes = Uint8Array.from(encoder.encode(address));
  remember(Buffer.from(bytes).toString('latin1'), address, bytes);
  return bytes;
}

/** Whether a value from outside is an address. */
export function isAddressText(value: unknown): value is Address {
  return typeof value === 'string' && (bytesByText.has(value) || isAddress(value));
}

function remember(key: string, text: Address, bytes: Uint8Array): void {
  if (textByBytes.size >= rememberedKeys) {
    textByBytes.clear();
    bytesByText.clear();
  }
  textByBytes.set(key, text);
  bytesByText.set(text, bytes);
}
