import { spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openCluster, SUPERUSER, type Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { findFreePort } from './free-port.ts';
import { openLogFile, type LogFile } from './log-file.ts';
import { endOrphans, isPostmasterReady } from './orphans.ts';
import { withParentDeathSignal } from './parent-death-signal.ts';
import { acquireProcessLock, ProcessLockHeldError, type ProcessLock } from './process-lock.ts';
import { postgresEnvironment, postgresSettings } from './settings.ts';

/** How long a start is tried again while remains of an earlier run still hold the cluster's lock or the port. */
const RETRY_MS = 8_000;
/** Recovery after a crash replays at most `max_wal_size`. */
const READY_TIMEOUT_MS = 60_000;
const STOP_STEPS: { waitMs: number; signal: NodeJS.Signals }[] = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 3_000 },
  { signal: 'SIGKILL', waitMs: 3_000 },
];

export interface PostgresExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface EmbeddedPostgres {
  /** Connection string of the superuser, password included: a secret. */
  url: string;
  pid: number;
  port: number;
  /** Resolves when the server has ended, by itself, by a signal or by `stop`. Never rejects. */
  exited: Promise<PostgresExit>;
  /** Ends all connections and shuts down; resolves when the process is gone. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL server that Kervan brings along, on `<dataDir>/postgres`, and resolves when it accepts
 * connections (loopback TCP, password). The first start creates the cluster. A server left over from a killed
 * supervisor is ended first; after a crash Postgres recovers by itself.
 *
 * @param options.dataDir Kervan's data directory, made when missing
 * @param options.port 0 or absent: any free port
 * @throws EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  port?: number;
}): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const lock = lockDataDir(dataDir);
  try {
    const cluster = await openCluster(dataDir);
    const log = openLogFile(join(dataDir, 'postgres', 'postgres.log'));
    try {
      const server = await startServer(cluster, log, options.port ?? 0);
      return supervise(server, cluster, () => {
        log.close();
        lock.release();
      });
    } catch (error) {
      log.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

function lockDataDir(dataDir: string): ProcessLock {
  try {
    return acquireProcessLock(join(dataDir, 'postgres', 'supervisor.lock'));
  } catch (error) {
    if (!(error instanceof ProcessLockHeldError)) throw error;
    throw new EmbeddedPostgresError(
      'POSTGRES_DATA_DIR_IN_USE',
      { dataDir, pid: error.pid },
      { cause: error },
    );
  }
}

interface Server {
  child: ChildProcess;
  port: number;
  exited: Promise<PostgresExit>;
}

async function startServer(cluster: Cluster, log: LogFile, wantedPort: number): Promise<Server> {
  const deadline = performance.now() + RETRY_MS;
  for (;;) {
    await endOrphans(cluster.dir);
    const port = wantedPort === 0 ? await findFreePort() : wantedPort;
    const server = launch(cluster, log, port);
    const failure = await untilReady(server, cluster.dir);
    if (failure === undefined) return server;
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError('POSTGRES_START_FAILED', { exit: failure, logTail: log.tail() });
    }
    await delay(200);
  }
}

function launch(cluster: Cluster, log: LogFile, port: number): Server {
  const [command, args] = withParentDeathSignal('INT', cluster.binaries.postgres, [
    '-D',
    cluster.dir,
    ...postgresSettings(port),
  ]);
  const child = spawn(command, args, {
    cwd: cluster.dir,
    env: postgresEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
    // Out of our process group: Ctrl-C must reach Node alone, which stops the server before the database.
    detached: true,
    ...cluster.user,
  });
  const exited = new Promise<PostgresExit>((resolveExit) => {
    child.once('error', () => resolveExit({ code: -1, signal: null }));
    child.once('exit', (code, signal) => resolveExit({ code, signal }));
  });
  return { child, port, exited };
}

/** Resolves with undefined when the server accepts connections, or else with how it ended. */
async function untilReady({ child, exited }: Server, clusterDir: string): Promise<string | undefined> {
  let ended: PostgresExit | undefined;
  void exited.then((exit) => (ended = exit));
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (child.pid === undefined || !isPostmasterReady(clusterDir, child.pid)) {
    if (ended !== undefined) return `exit ${ended.signal ?? ended.code}`;
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      return 'not ready in time';
    }
    await delay(10);
  }
  return undefined;
}

function supervise(server: Server, cluster: Cluster, release: () => void): EmbeddedPostgres {
  const { child, port } = server;
  // Where there is no parent-death signal, this covers every end of this process but a kill.
  const stopWithUs = (): void => void child.kill('SIGINT');
  process.once('exit', stopWithUs);
  let isRunning = true;
  const exited = server.exited.then((exit) => {
    isRunning = false;
    process.off('exit', stopWithUs);
    release();
    return exit;
  });

  return {
    url: `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/postgres`,
    pid: child.pid ?? 0,
    port,
    exited,
    async stop() {
      for (const step of STOP_STEPS) {
        if (!isRunning) return;
        child.kill(step.signal);
        await Promise.race([exited, delay(step.waitMs, undefined, { ref: false })]);
      }
    },
  };
}
