import { KervanError, type ErrorCode } from '@kervan/contract';
import { getAddress, type Address } from 'viem';

/** An address with EIP-55's checksum from text in any case, or undefined if it is none. */
export function parseAddress(text: string): Address | undefined {
  const trimmed = text.trim();
  if (!/^0x[0-9a-fA-F]{40}$/.test(trimmed)) return undefined;
  // Lower case has no checksum that could be wrong.
  return getAddress(trimmed.toLowerCase());
}

/** The same, throwing the given code for anything else. */
export function requireAddress(text: string, code: ErrorCode): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new KervanError(code);
  return address;
}
