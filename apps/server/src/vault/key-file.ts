import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseMasterKey } from '../config.ts';

export const keyFile = (dataDir: string) => join(dataDir, 'master.key');
/** The key of a rotation, from before its transaction until it has taken the first file's place. */
export const nextKeyFile = (dataDir: string) => join(dataDir, 'master.key.next');

/** The key in the file, or undefined when there is no file. Throws when it holds none. */
export async function readKeyFile(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = parseMasterKey(text);
  if (!key) throw new Error(`${path} does not hold a master key`);
  await chmod(path, 0o600);
  return key;
}

/** Writes a new file that only its owner can read, and syncs it: either all of it is there or nothing. */
export async function writeKeyFile(path: string, key: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${Buffer.from(key).toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // Unlike a rename, a link never takes the place of a key that another process has just made.
    await link(temporary, path);
  } finally {
    await rm(temporary);
  }
  await syncFolder(dirname(path));
}

/** Puts the next key in the place of the present one. */
export async function switchKeyFiles(dataDir: string): Promise<void> {
  await rename(nextKeyFile(dataDir), keyFile(dataDir));
  await syncFolder(dataDir);
}

export async function removeKeyFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  // Windows has no such thing as syncing a folder.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
