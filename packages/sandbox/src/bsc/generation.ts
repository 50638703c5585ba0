import { rm } from 'node:fs/promises';
import { hexToNumber } from 'viem';
import { z } from 'zod';
import { openJournal, type Journal } from '../journal.ts';
import { startAnvil, type AnvilNode } from './anvil.ts';
import { deploy } from './deploy.ts';
import { decodeEntry, encodeEntry, type JournalEntry } from './journal-entry.ts';
import type { NodeClient } from './node-client.ts';
import {
  commitSnapshot,
  journalFile,
  listGenerations,
  readNotes,
  snapshotFile,
  writeSnapshot,
  type SnapshotNotes,
} from './snapshot.ts';

/** A chain as it was left, or a new one. */
export interface OpenedGeneration {
  generation: number;
  notes: SnapshotNotes;
  node: AnvilNode;
  journal: Journal;
  journalNumber: number;
  entries: JournalEntry[];
}

/** The newest snapshot that loads, with all journals from there on; a new chain if there is no snapshot at all. */
export async function openNewestGeneration(directory: string): Promise<OpenedGeneration> {
  const { snapshots } = await listGenerations(directory);
  if (snapshots.length === 0) return deployNewChain(directory);
  const loaded = await loadNewestSnapshot(directory, snapshots);
  // What a damaged one held beyond this one is in the journals that follow.
  for (const number of snapshots) if (number > loaded.generation) await rm(snapshotFile(directory, number));
  return { ...loaded, ...(await openJournals(directory, loaded.generation)) };
}

/**
 * Goes on with a node loaded from the first snapshot, not with the one that made it: where a failed transaction has read
 * an empty slot, anvil's state root tells whether the contract was loaded, and a replay would make another block.
 */
async function deployNewChain(directory: string): Promise<OpenedGeneration> {
  const maker = await startAnvil({ directory });
  try {
    const notes = { deployment: await deploy(maker.client), archive: { dataBytes: 0, indexBytes: 0 } };
    const temporary = await writeSnapshot(maker.client, directory, 0, notes, Infinity);
    const journal = await createJournal(directory, 0, []);
    await commitSnapshot(temporary, directory, 0);
    const node = await loadNode(directory, snapshotFile(directory, 0));
    return { generation: 0, notes, node, journal, journalNumber: 0, entries: [] };
  } finally {
    await maker.stop();
  }
}

async function loadNewestSnapshot(
  directory: string,
  snapshots: readonly number[],
): Promise<Pick<OpenedGeneration, 'generation' | 'notes' | 'node'>> {
  const failures: unknown[] = [];
  for (const generation of snapshots) {
    const file = snapshotFile(directory, generation);
    try {
      return { generation, notes: await readNotes(file), node: await loadNode(directory, file) };
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, `No snapshot in ${directory} can be loaded`);
}

/** Reads every journal from a generation on. The newest one takes what comes next. */
async function openJournals(
  directory: string,
  base: number,
): Promise<Pick<OpenedGeneration, 'journal' | 'journalNumber' | 'entries'>> {
  const { journals } = await listGenerations(directory);
  const following = journals.filter((number) => number > base);
  let journalNumber = base;
  let { journal, records } = await openJournal(journalFile(directory, base));
  const entries = records.map((record) => decodeEntry(record.payload));
  for (journalNumber of following) {
    await journal.close();
    ({ journal, records } = await openJournal(journalFile(directory, journalNumber)));
    entries.push(...records.map((record) => decodeEntry(record.payload)));
  }
  return { journal, journalNumber, entries };
}

/** A new journal that holds the given entries. One left by a snapshot that came to nothing is replaced. */
export async function createJournal(
  directory: string,
  generation: number,
  entries: readonly JournalEntry[],
): Promise<Journal> {
  const file = journalFile(directory, generation);
  await rm(file, { force: true });
  const { journal } = await openJournal(file);
  await Promise.all(entries.map((entry) => journal.append(encodeEntry(entry))));
  return journal;
}

/** Starts a node on a snapshot with its clock at the newest block, so that the blocks to be replayed are not in its past. */
export async function loadNode(directory: string, stateFile: string): Promise<AnvilNode> {
  const node = await startAnvil({ directory, stateFile });
  try {
    await node.client.call('evm_setTime', [await latestTimestamp(node.client)]);
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
}

export async function latestTimestamp(node: NodeClient): Promise<number> {
  const block = z
    .object({ timestamp: z.templateLiteral(['0x', z.string()]) })
    .parse(await node.call('eth_getBlockByNumber', ['latest', false]));
  return hexToNumber(block.timestamp);
}
