import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  acquireProcessLock,
  findFreePort,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '@kervan/database';
import {
  endOrphanChildren,
  readLauncherState,
  writeLauncherState,
  type SandboxPorts,
} from './launcher-state.ts';
import { startNodeChild, type ReadyMessage } from './node-child.ts';
import { requireFreePort } from './port-taken.ts';
import { supervise, type Run, type Supervised } from './supervise.ts';

export type PartName = 'postgres' | 'sandbox' | 'server';

export interface StackOptions {
  dataDir: string;
  /** Where the server listens; port 0 means any free one, kept over restarts. */
  host?: string;
  port?: number;
  /** 0 or absent: any free port, the last start's if it is still free. */
  sandboxPorts?: Partial<SandboxPorts>;
  /** false leaves the local chains out. */
  sandbox?: boolean;
  /** An existing PostgreSQL server, used instead of the embedded one. */
  databaseUrl?: string | undefined;
  /** What the parts inherit; the launcher's own environment if absent. */
  env?: NodeJS.ProcessEnv;
  /** Gets what the parts and the supervisor print. */
  output?: Writable;
  /** Other programs in place of the real ones, as arguments of `node`. */
  programs?: Partial<Record<'sandbox' | 'server', string[]>>;
  /** Gives up a start that is under way. */
  signal?: AbortSignal;
}

export interface Stack {
  /** Address of the server, e.g. `http://127.0.0.1:3001`. */
  url: string;
  /** A secret: holds the password. */
  databaseUrl: string;
  /** Absent when there is no sandbox. */
  sandboxPorts: SandboxPorts | undefined;
  /** Pid of each running part; the embedded Postgres's is its postmaster's. */
  pids(): Partial<Record<PartName, number>>;
  /** @returns false when the part has no process at the moment */
  kill(part: PartName, signal: NodeJS.Signals): boolean;
  /** Resolves when the part serves: after a deadly `kill`, when it has been started again and is ready. */
  ready(part: PartName): Promise<void>;
  restart(part: PartName): Promise<void>;
  /** Stops the parts cleanly: server, then sandbox, then Postgres. Safe to call twice. */
  stop(): Promise<void>;
  /** Ends the parts at once, without asking them. */
  abort(): void;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * How Node runs the server. Left alone on a large machine, V8 lets a heap of which 60 MB are in use grow to 250
 * before it collects, and what is new fill 48 MB more. With a limit of 512 MB, which a server that keeps its state
 * in the database is far from, it collects in steps that fit. (`--optimize-for-size` takes less still, and twice the
 * processor time.)
 */
const SERVER_FLAGS = ['--max-old-space-size=512', '--max-semi-space-size=8'];

const PROGRAMS = { sandbox: 'packages/sandbox/src/main.ts', server: 'apps/server/src/main.ts' };

/**
 * Starts everything Kervan consists of and keeps it running: Postgres (unless `databaseUrl` is given), the
 * sandbox and the server. Resolves when all of them serve.
 *
 * @throws ProcessLockHeldError when another launcher runs on this data directory
 * @throws PortTakenError when the server's port is in use
 * @throws PartFailedError when a part gives up during its first start; the others are stopped then
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = acquireProcessLock(join(dataDir, 'launcher.lock'));
  const parts: Partial<Record<PartName, Supervised<unknown>>> = {};
  const stop = async (): Promise<void> => {
    await parts.server?.stop();
    await parts.sandbox?.stop();
    await parts.postgres?.stop();
    lock.release();
  };

  const onAbort = (): void => void stop();
  options.signal?.addEventListener('abort', onAbort);
  try {
    return await startParts(options, dataDir, parts, stop);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
  }
}

async function startParts(
  options: StackOptions,
  dataDir: string,
  parts: Partial<Record<PartName, Supervised<unknown>>>,
  stop: () => Promise<void>,
): Promise<Stack> {
  const { output = process.stdout, programs } = options;
  const report = (line: string): void => void output.write(`${line}\n`);
  const before = readLauncherState(dataDir);
  await endOrphanChildren(before.children);
  let port = options.port ?? 0;
  const host = options.host ?? '127.0.0.1';
  await requireFreePort(host, port);
  const hasSandbox = options.sandbox !== false;
  const sandboxPorts = await chooseSandboxPorts(options.sandboxPorts, before.sandboxPorts);
  options.signal?.throwIfAborted();

  const startChild = (name: 'sandbox' | 'server', env: NodeJS.ProcessEnv): Run<ReadyMessage> => {
    const program = programs?.[name] ?? [join(ROOT, PROGRAMS[name])];
    const args = name === 'server' ? [...SERVER_FLAGS, ...program] : program;
    const run = startNodeChild({ args, env, output });
    const pids = [run.pid, parts[name === 'server' ? 'sandbox' : 'server']?.pid];
    writeLauncherState(dataDir, { sandboxPorts, pids: pids.filter((pid) => pid !== undefined) });
    return run;
  };

  const inherited: NodeJS.ProcessEnv = {
    ...(options.env ?? process.env),
    KERVAN_DATA_DIR: dataDir,
    // Keeps compiled code from one start to the next: these are quicker, and without the compiler that takes the
    // types out of our sources, which alone needs 20 MB, in each part.
    NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
  };
  if (hasSandbox) {
    // The sandbox needs no secret, so it gets none.
    const {
      KERVAN_MASTER_KEY: _,
      DATABASE_URL: _url,
      KERVAN_JUPITER_API_KEY: _key,
      KERVAN_SOLANA_PROVIDER_KEY: _providerKey,
      ...env
    } = inherited;
    parts.sandbox = supervise({
      name: 'sandbox',
      report,
      start: async () => startChild('sandbox', { ...env, ...sandboxEnvironment(sandboxPorts) }),
    });
  }

  let databaseUrl = options.databaseUrl;
  if (databaseUrl === undefined) {
    let postgresPort = 0;
    const postgres = supervise({
      name: 'postgres',
      report,
      start: () => runPostgres(dataDir, postgresPort),
    });
    parts.postgres = postgres;
    const first = await postgres.ready();
    postgresPort = first.port;
    databaseUrl = first.url;
  }

  const serverEnvironment = {
    ...inherited,
    HOST: host,
    DATABASE_URL: databaseUrl,
    KERVAN_SANDBOX: hasSandbox ? 'on' : 'off',
    ...(hasSandbox && sandboxEnvironment(sandboxPorts)),
  };
  const server = supervise({
    name: 'server',
    report,
    start: async () => startChild('server', { ...serverEnvironment, PORT: String(port) }),
  });
  parts.server = server;
  const [ready] = await Promise.all([server.ready(), parts.sandbox?.ready()]);
  if (typeof ready['port'] === 'number') port = ready['port'];

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    databaseUrl,
    sandboxPorts: hasSandbox ? sandboxPorts : undefined,
    pids: () =>
      Object.fromEntries(
        Object.entries(parts).flatMap(([name, part]) => (part.pid === undefined ? [] : [[name, part.pid]])),
      ),
    kill: (name, signal) => parts[name]?.kill(signal) ?? false,
    ready: async (name) => void (await parts[name]?.ready()),
    restart: async (name) => parts[name]?.restart(),
    stop,
    abort() {
      parts.server?.kill('SIGKILL');
      parts.sandbox?.kill('SIGKILL');
      parts.postgres?.kill('SIGQUIT');
    },
  };
}

async function chooseSandboxPorts(
  wanted: Partial<SandboxPorts> = {},
  last: SandboxPorts,
): Promise<SandboxPorts> {
  const solana = wanted.solana || (await findFreePort(last.solana));
  const bsc = wanted.bsc || (await findFreePort(last.bsc));
  // Two probes one after the other may answer the same.
  return bsc === solana ? chooseSandboxPorts({ ...wanted, solana }, { solana: 0, bsc: 0 }) : { solana, bsc };
}

function sandboxEnvironment(ports: SandboxPorts): NodeJS.ProcessEnv {
  return {
    KERVAN_SANDBOX_SOLANA_PORT: String(ports.solana),
    KERVAN_SANDBOX_BSC_PORT: String(ports.bsc),
  };
}

async function runPostgres(dataDir: string, port: number): Promise<Run<EmbeddedPostgres>> {
  const postgres = await startEmbeddedPostgres({ dataDir, port });
  return {
    pid: postgres.pid,
    ready: Promise.resolve(postgres),
    ended: postgres.exited.then(({ code, signal }) => ({
      how: signal === null ? `exit code ${code}` : `signal ${signal}`,
      gaveUp: false,
    })),
    stop: () => postgres.stop(),
  };
}
