import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processBirth } from '@kervan/database';

/** What the launcher remembers from one start to the next, in `<dataDir>/launcher.json`. */
export interface LauncherState {
  sandboxPorts: SandboxPorts;
  /** The processes it started; `birth` tells a process from a later one with the same pid. */
  children: { pid: number; birth: string }[];
}

export interface SandboxPorts {
  solana: number;
  bsc: number;
}

const FILE = 'launcher.json';
const ORPHAN_GRACE_MS = 5_000;

/** The remembered state, or an empty one: losing it costs nothing but other port numbers. */
export function readLauncherState(dataDir: string): LauncherState {
  try {
    const state: Partial<LauncherState> = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8'));
    const { solana, bsc } = state.sandboxPorts ?? {};
    return {
      sandboxPorts: { solana: Number(solana) || 0, bsc: Number(bsc) || 0 },
      children: Array.isArray(state.children) ? state.children : [],
    };
  } catch {
    return { sandboxPorts: { solana: 0, bsc: 0 }, children: [] };
  }
}

export function writeLauncherState(
  dataDir: string,
  state: { sandboxPorts: SandboxPorts; pids: number[] },
): void {
  const { sandboxPorts, pids } = state;
  const children = pids.map((pid) => ({ pid, birth: processBirth(pid) }));
  const path = join(dataDir, FILE);
  writeFileSync(`${path}.new`, JSON.stringify({ sandboxPorts, children } satisfies LauncherState));
  renameSync(`${path}.new`, path);
}

/**
 * Waits until the children of a killed launcher are gone: they end by themselves, but until they have, two
 * sandboxes would write one journal. One that hangs is killed.
 */
export async function endOrphanChildren(children: LauncherState['children']): Promise<void> {
  const deadline = performance.now() + ORPHAN_GRACE_MS;
  for (;;) {
    const left = children.filter(({ pid, birth }) => birth !== '' && processBirth(pid) === birth);
    if (left.length === 0) return;
    if (performance.now() > deadline) for (const { pid } of left) process.kill(pid, 'SIGKILL');
    await delay(20);
  }
}
