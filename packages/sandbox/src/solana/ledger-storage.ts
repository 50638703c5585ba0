import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournal, syncDirectory, type Journal } from '../journal.ts';
import { readSnapshot, writeSnapshot } from '../snapshot-file.ts';
import type { Address } from './addresses.ts';
import { createHistory, type History, type RecordPosition, type TransactionStatus } from './history.ts';
import {
  decodeHeads,
  decodeRecord,
  encodeRecord,
  type LandedTransaction,
  type LedgerRecord,
} from './ledger-record.ts';
import type { StoredAccount } from './runtime.ts';

/** What a start finds. */
export interface StoredLedger {
  /** The saved state; without it the chain begins at genesis. */
  state: Buffer | undefined;
  /** Accounts as the records after the saved state left them; undefined for closed ones. */
  changes: ReadonlyMap<Address, StoredAccount | undefined>;
  history: History;
  /** The slot of the newest transaction, 0 without any. */
  lastSlot: number;
}

/**
 * The chain's files: numbered journal segments that are both the write-ahead log and the transaction
 * history, a snapshot of the accounts that names the segment to replay from, and the statuses of
 * transactions older than the segments kept.
 */
export interface LedgerStorage {
  /** Records in the segment being written. */
  readonly openRecords: number;
  /** Numbers of the segments on disk, oldest first. */
  readonly segments: readonly number[];
  append(record: LedgerRecord): { segment: number; offset: number };
  /** Resolves once everything appended so far is on disk; rejects when that has become impossible. */
  durable(): Promise<void>;
  read(position: RecordPosition): Promise<LandedTransaction>;
  /** Begins a new segment with the state `capture` returns at that instant as its snapshot. */
  checkpoint(capture: () => Uint8Array): Promise<void>;
  /** Removes a segment after writing down the statuses that stand for it. */
  dropSegment(segment: number, statuses: TransactionStatus[]): Promise<void>;
  close(): Promise<void>;
}

interface Segment {
  number: number;
  journal: Journal;
}

/** Opens or creates the files in `directory`. */
export async function openLedgerStorage(
  directory: string,
): Promise<{ storage: LedgerStorage; stored: StoredLedger }> {
  await mkdir(directory, { recursive: true });
  const snapshotPath = join(directory, 'state.snapshot');
  const snapshot = decodeSnapshot(await readSnapshot(snapshotPath));
  const statusFile = await openJournal(join(directory, 'statuses.journal'));
  const segments: Segment[] = [];
  const changes = new Map<Address, StoredAccount | undefined>();
  const history = createHistory();
  let lastSlot = 0;
  let openRecords = 0;
  const numbers = await segmentNumbers(directory);
  if ((numbers[0] ?? 1) > snapshot.replayFrom) {
    throw new Error(`The sandbox's snapshot in ${directory} is missing or damaged, and so is its backup`);
  }
  for (const number of numbers) {
    const opened = await openJournal(segmentPath(directory, number));
    segments.push({ number, journal: opened.journal });
    openRecords = opened.records.length;
    for (const { offset, payload } of opened.records) {
      for (const [index, head] of decodeHeads(payload).entries()) {
        history.add(head, { segment: number, offset, index });
        lastSlot = head.slot;
      }
      if (number < snapshot.replayFrom) continue;
      for (const { effects } of decodeRecord(payload)) {
        for (const { address, account } of effects) changes.set(address, account);
      }
    }
  }
  // What the segment before the current one has yet to write.
  let previous = Promise.resolve();
  let current = segments.at(-1) ?? (await openSegment(snapshot.replayFrom));

  async function openSegment(number: number): Promise<Segment> {
    const { journal } = await openJournal(segmentPath(directory, number), { writeAfter: () => previous });
    const segment = { number, journal };
    segments.push(segment);
    return segment;
  }

  const storage: LedgerStorage = {
    get openRecords() {
      return openRecords;
    },
    get segments() {
      return segments.map((each) => each.number);
    },
    append(record) {
      const offset = current.journal.size;
      // Whoever must know awaits durable(), which fails with the same error.
      current.journal.append(encodeRecord(record)).catch(() => undefined);
      openRecords += 1;
      return { segment: current.number, offset };
    },
    async durable() {
      const inCurrent = current.journal.durable();
      await previous;
      await inCurrent;
    },
    async read({ segment, offset, index }) {
      const journal = segments.find((each) => each.number === segment)?.journal;
      if (!journal) throw new Error(`Journal segment ${segment} has been dropped`);
      const transaction = decodeRecord(await journal.read(offset))[index];
      if (!transaction)
        throw new Error(`Journal segment ${segment} has no transaction ${index} at ${offset}`);
      return transaction;
    },
    async checkpoint(capture) {
      const next = await openSegment(current.number + 1);
      const state = capture();
      previous = current.journal.durable();
      current = next;
      openRecords = 0;
      await previous;
      await writeSnapshot(snapshotPath, encodeSnapshot(next.number, state));
    },
    async dropSegment(number, statuses) {
      const index = segments.findIndex((each) => each.number === number);
      const segment = segments[index];
      if (!segment || segment === current) return;
      await statusFile.journal.append(Buffer.from(JSON.stringify(statuses)));
      segments.splice(index, 1);
      await segment.journal.close();
      await rm(segmentPath(directory, number));
      await syncDirectory(directory);
    },
    async close() {
      await Promise.all([...segments.map((each) => each.journal.close()), statusFile.journal.close()]);
    },
  };
  for (const { payload } of statusFile.records) {
    // The journal's checksum has vouched that these are the bytes dropSegment wrote.
    const statuses: TransactionStatus[] = JSON.parse(payload.toString('utf8'));
    history.addStatuses(statuses);
  }
  return { storage, stored: { state: snapshot.state, changes, history, lastSlot } };
}

function encodeSnapshot(replayFrom: number, state: Uint8Array): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(replayFrom, 0);
  return Buffer.concat([header, state]);
}

function decodeSnapshot(snapshot: Buffer | undefined): { state: Buffer | undefined; replayFrom: number } {
  if (!snapshot) return { state: undefined, replayFrom: 1 };
  return { state: snapshot.subarray(4), replayFrom: snapshot.readUInt32LE(0) };
}

async function segmentNumbers(directory: string): Promise<number[]> {
  const names = await readdir(directory);
  return names
    .map((name) => Number(/^(\d+)\.journal$/.exec(name)?.[1]))
    .filter((number) => number > 0)
    .toSorted((a, b) => a - b);
}

function segmentPath(directory: string, number: number): string {
  return join(directory, `${String(number).padStart(8, '0')}.journal`);
}
