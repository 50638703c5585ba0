import { getBase58Encoder } from '@solana/kit';
import { isAddressText, type Address } from '../addresses.ts';
import type { Commitment } from '../slot-clock.ts';
import { maxWireBytes, parseTransaction, type WireTransaction } from '../wire-transaction.ts';
import { invalidParams } from './rpc-error.ts';

const base58 = getBase58Encoder();

export type RpcParams = readonly unknown[];
/** A configuration object: the last parameter of most methods. */
export type RpcConfig = Readonly<Record<string, unknown>>;

export function addressParam(value: unknown): Address {
  if (!isAddressText(value)) throw invalidParams('Invalid param: Invalid');
  return value;
}

export function addressListParam(value: unknown, limit: number): Address[] {
  return listParam(value, limit).map(addressParam);
}

export function listParam(value: unknown, limit: number): unknown[] {
  if (!Array.isArray(value)) throw invalidParams('Invalid params: expected an array');
  if (value.length > limit) throw invalidParams(`Too many inputs provided; max ${limit}`);
  return value;
}

export function textParam(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidParams(`Invalid params: expected ${name} as a string`);
  return value;
}

export function integerParam(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalidParams(`Invalid params: expected ${name} as an unsigned integer`);
  }
  return value;
}

export function configParam(value: unknown): RpcConfig {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidParams('Invalid params: expected an object');
  return { ...value };
}

/** The commitment of a configuration; Solana's default is `finalized`. */
export function commitmentParam(config: RpcConfig): Commitment {
  const { commitment } = config;
  if (commitment === undefined || commitment === null) return 'finalized';
  if (commitment === 'processed' || commitment === 'confirmed' || commitment === 'finalized')
    return commitment;
  throw invalidParams(`Invalid params: unknown commitment ${JSON.stringify(commitment)}`);
}

/** A transaction in base58 (the default) or base64. */
export function transactionParam(value: unknown, encoding: unknown): WireTransaction {
  const wire = bytesParam(value, encoding ?? 'base58');
  if (wire.length > maxWireBytes) {
    throw invalidParams(
      `decoded solana_transaction::versioned::VersionedTransaction too large: ${wire.length} bytes (max: ${maxWireBytes} bytes)`,
    );
  }
  try {
    return parseTransaction(wire);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'malformed';
    throw invalidParams(
      `failed to deserialize solana_transaction::versioned::VersionedTransaction: ${reason}`,
    );
  }
}

export function bytesParam(value: unknown, encoding: unknown): Uint8Array {
  const text = textParam(value, 'encoded bytes');
  if (encoding === 'base64') return Buffer.from(text, 'base64');
  if (encoding !== 'base58') throw invalidParams(`unsupported encoding: ${JSON.stringify(encoding)}`);
  try {
    return Uint8Array.from(base58.encode(text));
  } catch {
    throw invalidParams('invalid base58 encoding');
  }
}
