import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './errors.ts';
import { isAlive, isPidTaken } from './process-lock.ts';

/** Each step is harsher; the times are measured from the first. */
const STEPS: { afterMs: number; signal: NodeJS.Signals; whole: boolean }[] = [
  { afterMs: 0, signal: 'SIGINT', whole: false },
  { afterMs: 8_000, signal: 'SIGQUIT', whole: true },
  { afterMs: 10_000, signal: 'SIGKILL', whole: true },
];
const GIVE_UP_MS = 15_000;

/**
 * Ends a Postgres that an earlier, killed supervisor left running on this cluster, and waits until none of its
 * processes is left. A process is touched only when it is seen to work on this very directory.
 *
 * @param clusterDir the cluster's real path (no links in it)
 */
export async function endOrphans(clusterDir: string): Promise<void> {
  const startedAt = performance.now();
  let step = 0;
  for (;;) {
    const postmaster = readPostmasterPid(clusterDir);
    const pids = clusterProcesses(clusterDir, postmaster);
    if (pids.length === 0) {
      // The pid now belongs to a stranger (usual in containers, where pids repeat): Postgres would take it for
      // a running server and refuse to start.
      if (postmaster !== undefined && isPidTaken(postmaster)) rmSync(join(clusterDir, 'postmaster.pid'));
      return;
    }
    const elapsed = performance.now() - startedAt;
    if (elapsed > GIVE_UP_MS) {
      throw new EmbeddedPostgresError('POSTGRES_ORPHAN_SURVIVED', { pids: pids.join(' ') });
    }
    const due = STEPS[step];
    if (due !== undefined && elapsed >= due.afterMs) {
      step += 1;
      // Without a postmaster its helpers end by themselves within milliseconds.
      const targets = due.whole ? pids : pids.filter((pid) => pid === postmaster);
      for (const pid of targets) signal(pid, due.signal);
    }
    await delay(10);
  }
}

/** The pid in the cluster's lock file, or undefined when there is none. */
export function readPostmasterPid(clusterDir: string): number | undefined {
  const pid = Number(readPostmasterFile(clusterDir)[0]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}

/** The TCP port in the cluster's lock file (line 4, see miscadmin.h), or undefined when there is none. */
export function readPostmasterPort(clusterDir: string): number | undefined {
  const port = Number(readPostmasterFile(clusterDir)[3]);
  return Number.isSafeInteger(port) && port > 0 ? port : undefined;
}

/** Whether the postmaster of this pid accepts connections (line 8 of the lock file, see miscadmin.h). */
export function isPostmasterReady(clusterDir: string, pid: number): boolean {
  const lines = readPostmasterFile(clusterDir);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

function readPostmasterFile(clusterDir: string): string[] {
  try {
    return readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** All processes that work on this cluster. Every Postgres process has the cluster as its working directory. */
function clusterProcesses(clusterDir: string, postmaster: number | undefined): number[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid && workingDirectory(pid) === clusterDir)
      .filter((pid) => commandLine(pid).includes('postgres'));
  }
  if (postmaster === undefined || !isAlive(postmaster)) return [];
  return commandLine(postmaster).includes('postgres') ? [postmaster] : [];
}

function workingDirectory(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (process.platform === 'win32') {
      return execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], { encoding: 'utf8' });
    }
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended in between, which is what was wanted.
  }
}
