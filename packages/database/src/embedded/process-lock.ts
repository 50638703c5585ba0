import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface ProcessLock {
  /** Gives the lock up. Safe to call twice. */
  release(): void;
}

/** Thrown when a living process holds the lock. */
export class ProcessLockHeldError extends Error {
  override readonly name = 'ProcessLockHeldError';
  readonly path: string;
  readonly pid: number;

  constructor(path: string, pid: number) {
    super(`Process ${pid} holds the lock ${path}`);
    this.path = path;
    this.pid = pid;
  }
}

interface Holder {
  pid: number;
  birth: string;
}

/**
 * Takes a lock file for the life of this process. A lock whose holder is dead is taken over, so a killed
 * process never blocks the next start.
 *
 * @param path the lock file; its folder is made when missing
 * @throws ProcessLockHeldError while another living process (or this one) holds it
 */
export function acquireProcessLock(path: string): ProcessLock {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const own = JSON.stringify({ pid: process.pid, birth: processBirth(process.pid) } satisfies Holder);
  // The content must be there the moment the lock is: written aside, then linked, which fails if one exists.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, own, { mode: 0o600 });
  try {
    while (!tryLink(draft, path)) {
      const found = readIfPresent(path);
      if (found === undefined) continue;
      const holder = parseHolder(found);
      if (holder !== undefined && processBirth(holder.pid) === holder.birth) {
        throw new ProcessLockHeldError(path, holder.pid);
      }
      discardStale(path, found);
    }
  } finally {
    rmSync(draft, { force: true });
  }

  return {
    release() {
      if (readIfPresent(path) === own) rmSync(path, { force: true });
    },
  };
}

/** Removes a dead process's lock, and puts back what it took when somebody else was faster. */
function discardStale(path: string, stale: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if (readIfPresent(aside) !== stale) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('pid' in value) || typeof value.pid !== 'number') return undefined;
    if (!('birth' in value) || typeof value.birth !== 'string') return undefined;
    return { pid: value.pid, birth: value.birth };
  } catch {
    return undefined;
  }
}

/**
 * Tells one process from a later one that was given the same pid: when it was born, or '' when none lives.
 */
export function processBirth(pid: number): string {
  if (process.platform === 'linux') {
    const stat = readIfPresent(`/proc/${pid}/stat`);
    if (stat === undefined) return '';
    // Fields are counted from the end of the command name, which may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    if (state === 'Z') return '';
    return `${readIfPresent('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}:${startTicks}`;
  }
  if (process.platform === 'win32') return isPidTaken(pid) ? 'alive' : '';
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** Whether a process with this pid lives, whoever owns it. One that ended but was not yet reaped does not. */
export function isAlive(pid: number): boolean {
  return processBirth(pid) !== '';
}

/** Whether the pid is taken, be it by a process that has ended and waits to be reaped. */
export function isPidTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ESRCH: a process that ends while its /proc entry is being read.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

/** Whether a caught value is a system error of this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
