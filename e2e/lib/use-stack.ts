import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { startStack, type Stack } from '../../apps/launcher/src/stack.ts';

/** The whole product in a folder of its own, silent, for the tests of one file. */
export function useStack(prefix: string): () => Stack {
  let dataDir: string;
  let stack: Stack;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), prefix));
    stack = await startStack({
      dataDir,
      output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    });
  });
  afterAll(async () => {
    await stack.stop();
    await rm(dataDir, { recursive: true });
  });
  return () => stack;
}
