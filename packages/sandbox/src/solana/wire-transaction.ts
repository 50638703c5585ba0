import { base58Of } from './base58.ts';
import { addressOf, type Address } from './addresses.ts';

/** Solana's limit for a serialised transaction: one IPv6 packet less its headers. */
export const maxWireBytes = 1232;

export interface CompiledInstruction {
  programIdIndex: number;
  accounts: Uint8Array;
  /** Like `accounts` a view into the wire bytes. */
  data: Uint8Array;
}

export interface AddressTableLookup {
  table: Address;
  writableIndexes: Uint8Array;
  readonlyIndexes: Uint8Array;
}

export interface WireTransaction {
  wire: Uint8Array;
  /** Base58 of the first signature: the transaction's id. */
  signature: string;
  signatures: Uint8Array[];
  message: WireMessage;
}

export interface WireMessage {
  version: 'legacy' | 0;
  requiredSignatures: number;
  readonlySigned: number;
  readonlyUnsigned: number;
  staticAccounts: Address[];
  blockhash: Address;
  instructions: CompiledInstruction[];
  lookups: AddressTableLookup[];
}

/** Reads a wire transaction (legacy or version 0); throws a RangeError on bytes that are none. */
export function parseTransaction(wire: Uint8Array): WireTransaction {
  const reader = createReader(wire);
  const signatures = reader.list(() => reader.bytes(64));
  const first = signatures[0];
  if (!first) throw new RangeError('a transaction has at least one signature');
  const message = readMessage(reader);
  reader.end();
  if (signatures.length !== message.requiredSignatures) {
    throw new RangeError('the number of signatures does not match the header');
  }
  return { wire, signature: base58Of(first), signatures, message };
}

/** Reads a transaction message alone, as `getFeeForMessage` takes it. */
export function parseMessage(bytes: Uint8Array): WireMessage {
  return readMessage(createReader(bytes));
}

/** Whether the account at this static index may be written. */
export function isWritableStatic(message: WireMessage, index: number): boolean {
  if (index < message.requiredSignatures) return index < message.requiredSignatures - message.readonlySigned;
  return index < message.staticAccounts.length - message.readonlyUnsigned;
}

function readMessage(reader: Reader): WireMessage {
  const first = reader.peek();
  const isVersioned = (first & 0x80) !== 0;
  if (isVersioned && (reader.byte() & 0x7f) !== 0) throw new RangeError('unknown message version');
  const requiredSignatures = reader.byte();
  const readonlySigned = reader.byte();
  const readonlyUnsigned = reader.byte();
  const staticAccounts = reader.list(() => addressOf(reader.bytes(32)));
  const blockhash = addressOf(reader.bytes(32));
  const instructions = reader.list(() => ({
    programIdIndex: reader.byte(),
    accounts: reader.bytes(reader.length()),
    data: reader.bytes(reader.length()),
  }));
  const lookups = isVersioned
    ? reader.list(() => ({
        table: addressOf(reader.bytes(32)),
        writableIndexes: reader.bytes(reader.length()),
        readonlyIndexes: reader.bytes(reader.length()),
      }))
    : [];
  return {
    version: isVersioned ? 0 : 'legacy',
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    staticAccounts,
    blockhash,
    instructions,
    lookups,
  };
}

interface Reader {
  peek(): number;
  byte(): number;
  bytes(count: number): Uint8Array;
  /** Solana's compact-u16. */
  length(): number;
  list<T>(item: () => T): T[];
  end(): void;
}

function createReader(source: Uint8Array): Reader {
  let offset = 0;
  function peek(): number {
    const value = source[offset];
    if (value === undefined) throw new RangeError('unexpected end');
    return value;
  }
  function byte(): number {
    const value = peek();
    offset += 1;
    return value;
  }
  function length(): number {
    let value = 0;
    for (let shift = 0; shift <= 14; shift += 7) {
      const part = byte();
      if (part === 0 && shift > 0) throw new RangeError('length is not in its shortest form');
      value |= (part & 0x7f) << shift;
      if ((part & 0x80) !== 0) continue;
      if (value > 0xffff) break;
      return value;
    }
    throw new RangeError('length too long');
  }
  return {
    peek,
    byte,
    length,
    bytes(count) {
      if (offset + count > source.length) throw new RangeError('unexpected end');
      const part = source.subarray(offset, offset + count);
      offset += count;
      return part;
    },
    list: (item) => Array.from({ length: length() }, item),
    end() {
      if (offset !== source.length) throw new RangeError('trailing bytes');
    },
  };
}
