import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAlive } from '../src/embedded/process-lock.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/embedded/start-embedded-postgres.ts';

const FIXTURE = fileURLToPath(new URL('fixtures/postgres-supervisor.ts', import.meta.url));

let dataDir: string;
let cleanups: (() => Promise<unknown>)[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kervan-postgres-'));
  cleanups = [];
});

afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(port?: number): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, ...(port !== undefined && { port }) });
  cleanups.push(() => postgres.stop());
  return postgres;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  // A server that is killed breaks the connection, which pg reports as an event besides the rejection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts Postgres from a process of its own. */
async function startElsewhere(
  env: NodeJS.ProcessEnv = {},
): Promise<{ supervisor: ChildProcess; pid: number }> {
  const supervisor = spawn(process.execPath, [FIXTURE, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  cleanups.push(async () => void supervisor.kill('SIGKILL'));
  const failed = once(supervisor, 'exit').then(() => Promise.reject(new Error('the supervisor ended')));
  const [line]: unknown[] = await Promise.race([once(supervisor.stdout, 'data'), failed]);
  const { pid }: { pid: number } = JSON.parse(String(line));
  cleanups.push(async () => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
  return { supervisor, pid };
}

describe('startEmbeddedPostgres', () => {
  it('creates the cluster at the first start and finds it again at the next', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 7 as n');
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });

    const second = await start();
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(await query(second.url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
    expect(await query(second.url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
  });

  it('asks for the password, which only its 0600 file holds', async () => {
    const { url } = await start();
    const password = new URL(url).password;
    expect(readFileSync(join(dataDir, 'postgres', 'password'), 'utf8')).toBe(password);
    expect(statSync(join(dataDir, 'postgres', 'password')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, 'postgres', 'postgres.log'), 'utf8')).not.toContain(password);
    await expect(query(url.replace(password, 'wrong'), 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it.runIf(process.platform === 'linux')('shows the server nothing of our environment', async () => {
    vi.stubEnv('KERVAN_MASTER_KEY', 'not-for-postgres');
    cleanups.push(async () => vi.unstubAllEnvs());
    const { pid } = await start();
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('KERVAN');
  });

  it('refuses a second supervisor on the same data directory', async () => {
    await start();
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
      code: 'POSTGRES_DATA_DIR_IN_USE',
      context: { pid: process.pid },
    });
  });

  it('keeps every acknowledged row through kills at random instants', async () => {
    let port: number | undefined;
    let acknowledged = 0;
    for (let round = 0; round < 5; round += 1) {
      const postgres = await start(port);
      port = postgres.port;
      const client = new Client({ connectionString: postgres.url });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('create table if not exists rows (n bigint primary key, pad text)');
      const killAfter = acknowledged + 50 + Math.floor(Math.random() * 300);
      const insertUntilKilled = async (): Promise<void> => {
        for (;;) {
          await client.query('insert into rows values ($1, $2)', [acknowledged + 1, 'x'.repeat(200)]);
          acknowledged += 1;
          if (acknowledged === killAfter) process.kill(postgres.pid, 'SIGKILL');
        }
      };
      await expect(insertUntilKilled()).rejects.toThrow(/connection/i);
      expect(await postgres.exited).toEqual({ code: null, signal: 'SIGKILL' });

      const recovered = await start(port);
      // n counts from 1 without gaps, so that the count is the last n.
      const rows = await query(recovered.url, 'select n::int as n from rows order by n');
      expect(rows).toEqual(rows.map((_, index) => ({ n: index + 1 })));
      // The insert under way at the kill may have been committed without our hearing of it.
      expect([acknowledged, acknowledged + 1]).toContain(rows.length);
      acknowledged = rows.length;
      await recovered.stop();
    }
  });

  it('ends the orphan of a killed supervisor', async () => {
    // Without setpriv on the path there is no parent-death signal, as on other systems than Linux.
    const { supervisor, pid } = await startElsewhere({ PATH: '' });
    supervisor.kill('SIGKILL');
    await once(supervisor, 'exit');
    expect(isAlive(pid)).toBe(true);

    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isAlive(pid)).toBe(false);
  });

  it.runIf(existsSync('/usr/bin/setpriv'))('ends by itself when its supervisor is killed', async () => {
    const { supervisor, pid } = await startElsewhere();
    supervisor.kill('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  });

  it('starts although a stranger has been given the pid of the crashed server', async () => {
    const crashed = await start();
    process.kill(crashed.pid, 'SIGKILL');
    await crashed.exited;
    const lockFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
    const [, ...rest] = readFileSync(lockFile, 'utf8').split('\n');
    writeFileSync(lockFile, [String(process.ppid), ...rest].join('\n'));

    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isAlive(process.ppid)).toBe(true);
  });

  it('starts over when the first start was killed before it was done', async () => {
    const draft = join(dataDir, 'postgres', 'cluster.init-killed');
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, 'PG_VERSION'), '18');
    writeFileSync(join(dataDir, 'postgres', 'password'), 'never used');

    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(draft)).toBe(false);
  });
});
