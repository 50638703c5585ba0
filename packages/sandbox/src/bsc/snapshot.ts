import { once } from 'node:events';
import { readFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { syncDirectory } from '../journal.ts';
import { deploymentSchema } from './deploy.ts';
import type { NodeClient } from './node-client.ts';
import type { SnapshotTask } from './snapshot-worker.ts';

/** What the sandbox notes in a snapshot beside the node's state. Anvil passes over fields it does not know. */
const notesSchema = z.object({
  deployment: deploymentSchema,
  /** How far the archive reached. */
  archive: z.object({ dataBytes: z.int(), indexBytes: z.int() }),
});
export type SnapshotNotes = z.infer<typeof notesSchema>;

/** A generation is a snapshot and the journal of what came after it, both under its number. */
export const snapshotFile = (directory: string, generation: number): string =>
  path.join(directory, `snapshot-${generation}.json`);
export const journalFile = (directory: string, generation: number): string =>
  path.join(directory, `journal-${generation}.log`);

/**
 * Numbers of the snapshots, newest first, and of the journals, oldest first. What an interrupted snapshot left is
 * removed.
 */
export async function listGenerations(
  directory: string,
): Promise<{ snapshots: number[]; journals: number[] }> {
  const files = await readdir(directory);
  for (const file of files) if (file.endsWith('.tmp')) await rm(path.join(directory, file), { force: true });
  const numbered = (pattern: RegExp): number[] =>
    files.flatMap((file) => pattern.exec(file)?.[1] ?? []).map(Number);
  return {
    snapshots: numbered(/^snapshot-(\d+)\.json$/).toSorted((a, b) => b - a),
    journals: numbered(/^journal-(\d+)\.log$/).toSorted((a, b) => a - b),
  };
}

export async function readNotes(file: string): Promise<SnapshotNotes> {
  const { notes } = z.object({ notes: notesSchema }).parse(JSON.parse(await readFile(file, 'utf8')));
  return notes;
}

/**
 * Writes the node's state, its newest blocks and the notes to a temporary file and returns its path. The file lasts
 * but does not count before `commitSnapshot`. Nothing may be mined meanwhile: anvil's dump is no instant picture.
 */
export async function writeSnapshot(
  node: NodeClient,
  directory: string,
  generation: number,
  notes: SnapshotNotes,
  keptBlocks: number,
): Promise<string> {
  const dump = z.string().parse(await node.call('anvil_dumpState'));
  const file = `${snapshotFile(directory, generation)}.tmp`;
  const task: SnapshotTask = { dump: Buffer.from(dump.slice(2), 'hex'), keptBlocks, notes, file };
  // A dump is tens of megabytes of JSON: taking it apart here would hold up both chains.
  const worker = new Worker(new URL('./snapshot-worker.ts', import.meta.url), { workerData: task });
  await once(worker, 'exit');
  return file;
}

/** Gives a written snapshot its name, all at once, and removes all generations but this and the one before. */
export async function commitSnapshot(
  temporary: string,
  directory: string,
  generation: number,
): Promise<void> {
  await rename(temporary, snapshotFile(directory, generation));
  await syncDirectory(directory);
  const { snapshots, journals } = await listGenerations(directory);
  const backup = snapshots[1] ?? generation;
  for (const old of snapshots.slice(2)) await rm(snapshotFile(directory, old), { force: true });
  for (const old of journals) if (old < backup) await rm(journalFile(directory, old), { force: true });
}
