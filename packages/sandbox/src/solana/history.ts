import type { Address } from './addresses.ts';
import type { TransactionHead } from './ledger-record.ts';
import type { TransactionError } from './transaction-error.ts';

/** Where a transaction is stored: journal segment, offset of its record, index within the record. */
export interface RecordPosition {
  segment: number;
  offset: number;
  index: number;
}

/** What is kept in memory of a landed transaction; the rest is on disk at its position. */
export interface HistoryEntry extends TransactionHead {
  /** Counts up in the order of landing. */
  sequence: number;
  position: RecordPosition;
}

/** What stays of a transaction when its full record has been dropped: enough to never call it absent. */
export interface TransactionStatus {
  signature: string;
  slot: number;
  error: TransactionError | null;
}

export interface History {
  readonly count: number;
  add(head: TransactionHead, position: RecordPosition): void;
  find(signature: string): HistoryEntry | undefined;
  /** The status of any transaction that ever landed. */
  status(signature: string): TransactionStatus | undefined;
  /** Newest first, up to a slot and between two signatures (both exclusive), at most `limit`. */
  ofAddress(
    address: Address,
    page: { limit: number; newestSlot: number; before?: string; until?: string },
  ): HistoryEntry[];
  addStatuses(statuses: Iterable<TransactionStatus>): void;
  /** Drops the full records of a journal segment, keeps their statuses and returns them. */
  dropSegment(segment: number): TransactionStatus[];
}

/** Landed transactions by signature and by address. No look-up walks the history. */
export function createHistory(): History {
  const bySignature = new Map<string, HistoryEntry>();
  const byAddress = new Map<Address, AddressHistory>();
  const bySegment = new Map<number, HistoryEntry[]>();
  const statuses = new Map<string, TransactionStatus>();
  let nextSequence = 0;

  function historyOf(address: Address): AddressHistory {
    let found = byAddress.get(address);
    if (!found) {
      found = { address, entries: [] };
      byAddress.set(address, found);
    }
    return found;
  }

  function addStatuses(given: Iterable<TransactionStatus>): void {
    for (const status of given) statuses.set(status.signature, status);
  }

  /** Unknown signatures lie before everything that is still listed. */
  function sequenceOf(signature: string): number {
    return bySignature.get(signature)?.sequence ?? -1;
  }

  return {
    get count() {
      return bySignature.size + statuses.size;
    },
    add({ signature, slot, blockTime, error, accounts }, position) {
      const histories = accounts.map(historyOf);
      const entry: HistoryEntry = {
        signature,
        slot,
        blockTime,
        error,
        // One copy of the text for the thousands of entries that may name an address.
        accounts: histories.map(({ address }) => address),
        position,
        sequence: nextSequence,
      };
      nextSequence += 1;
      bySignature.set(signature, entry);
      for (const { entries } of histories) entries.push(entry);
      const segment = bySegment.get(position.segment);
      if (segment) segment.push(entry);
      else bySegment.set(position.segment, [entry]);
    },
    addStatuses,
    find: (signature) => bySignature.get(signature),
    status: (signature) => bySignature.get(signature) ?? statuses.get(signature),
    ofAddress(address, { limit, newestSlot, before, until }) {
      const entries = byAddress.get(address)?.entries ?? [];
      let end = before === undefined ? entries.length : firstFrom(entries, sequenceOf(before));
      // Few lie in slots as new as these.
      while ((entries[end - 1]?.slot ?? 0) > newestSlot) end -= 1;
      const start = until === undefined ? 0 : firstFrom(entries, sequenceOf(until) + 1);
      return entries.slice(Math.max(start, end - limit), end).toReversed();
    },
    dropSegment(segment) {
      const dropped = bySegment.get(segment) ?? [];
      bySegment.delete(segment);
      const keptFrom = (dropped.at(-1)?.sequence ?? -1) + 1;
      for (const entry of dropped) bySignature.delete(entry.signature);
      for (const address of new Set(dropped.flatMap((entry) => entry.accounts))) {
        const { entries } = historyOf(address);
        entries.splice(0, firstFrom(entries, keptFrom));
        if (entries.length === 0) byAddress.delete(address);
      }
      const folded = dropped.map(({ signature, slot, error }) => ({ signature, slot, error }));
      addStatuses(folded);
      return folded;
    },
  };
}

interface AddressHistory {
  address: Address;
  entries: HistoryEntry[];
}

/** Index of the first entry whose sequence is at least this one; entries are in order. */
function firstFrom(entries: readonly HistoryEntry[], sequence: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry && entry.sequence < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
