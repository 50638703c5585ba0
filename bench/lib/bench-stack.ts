import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { connect, type Database } from '@kervan/database';
import { startStack, type Stack, type StackOptions } from '../../apps/launcher/src/stack.ts';
import { orInterrupted } from './interruption.ts';
import type { BenchOptions } from './options.ts';

const SERVER = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));

/** Runs `use` with the whole product running on `dataDir`, silently, and stops that however it ends. */
export async function withStack<T>(
  dataDir: string,
  { profile }: Pick<BenchOptions, 'profile'>,
  use: (stack: Stack, db: Database) => Promise<T>,
  options: Pick<StackOptions, 'sandbox'> & { server?: string } = {},
): Promise<T> {
  const { server = SERVER, ...rest } = options;
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const stack = await startStack({
    ...rest,
    dataDir,
    env: { ...process.env, KERVAN_LOG_LEVEL: 'error' },
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    programs: { server: [...profiling, server] },
  });
  const db = connect(stack.databaseUrl, { max: 2 });
  try {
    return await orInterrupted(use(stack, db));
  } finally {
    await db.destroy();
    await stack.stop();
  }
}
