import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncDirectory } from './journal.ts';

/**
 * Replaces a snapshot so that a crash at any instant leaves the old one or the new one: temporary file,
 * fsync, rename. The previous snapshot stays as `<path>.bak`.
 */
export async function writeSnapshot(path: string, state: Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`;
  const header = Buffer.alloc(8);
  header.writeUInt32LE(state.length, 0);
  header.writeUInt32LE(crc32(state), 4);
  const file = await open(temporary, 'w');
  try {
    await file.writev([header, state]);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(path, `${path}.bak`).catch(ignoreMissing);
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

/** The newest whole snapshot: the file, or its backup where the file is missing or damaged. */
export async function readSnapshot(path: string): Promise<Buffer | undefined> {
  await rm(`${path}.tmp`, { force: true });
  return (await readChecked(path)) ?? (await readChecked(`${path}.bak`));
}

async function readChecked(path: string): Promise<Buffer | undefined> {
  const content = await readFile(path).catch(ignoreMissing);
  if (!content || content.length < 8) return undefined;
  const state = content.subarray(8);
  if (state.length !== content.readUInt32LE(0) || crc32(state) !== content.readUInt32LE(4)) return undefined;
  return state;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
