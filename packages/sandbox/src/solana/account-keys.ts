import { addressOf, type Address } from './addresses.ts';
import type { Runtime } from './runtime.ts';
import { isWritableStatic, type WireMessage } from './wire-transaction.ts';

/** The accounts of a message in the order instructions count them. */
export interface AccountKeys {
  all: Address[];
  isWritable: boolean[];
  loaded: { writable: Address[]; readonly: Address[] };
}

/** A lookup table's addresses follow its metadata. */
const tableHeaderBytes = 56;

/** Static keys, then the writable and the read-only ones loaded from lookup tables. */
export function resolveAccountKeys(message: WireMessage, runtime: Runtime): AccountKeys {
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const lookup of message.lookups) {
    const table = runtime.account(lookup.table)?.data ?? new Uint8Array();
    const load = (index: number): Address[] => {
      const at = tableHeaderBytes + index * 32;
      return at + 32 <= table.length ? [addressOf(table.subarray(at, at + 32))] : [];
    };
    // A table or an index that does not exist is left out here; running the transaction reports it.
    writable.push(...[...lookup.writableIndexes].flatMap(load));
    readonly.push(...[...lookup.readonlyIndexes].flatMap(load));
  }
  return {
    all: [...message.staticAccounts, ...writable, ...readonly],
    isWritable: [
      ...message.staticAccounts.map((_, index) => isWritableStatic(message, index)),
      ...writable.map(() => true),
      ...readonly.map(() => false),
    ],
    loaded: { writable, readonly },
  };
}
