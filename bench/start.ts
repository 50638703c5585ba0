import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withStack } from './lib/bench-stack.ts';
import { prepareRealFleet } from './lib/real-fleet.ts';
import { startFleet } from './lib/fleet.ts';
import { orInterrupted } from './lib/interruption.ts';
import type { BenchOptions } from './lib/options.ts';
import { residentBytes } from './lib/process-usage.ts';
import { atMost, megabytes, seconds, type Figure } from './lib/report.ts';
import { withTemporaryFolder } from './lib/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BOTS = 1_000;
const SECONDS = 60;
const STARTS = 5;
const START_LIMIT_SEC = 5;
const MEMORY_LIMIT_BYTES = 250e6;

/** How long `npm start` takes when everything is installed and initialised, and what the server then needs. */
export async function start(options: BenchOptions): Promise<Figure[]> {
  return await withTemporaryFolder(async (folder) => {
    const first = await npmStart(folder);
    const later: number[] = [];
    while (later.length < STARTS) later.push(await npmStart(folder));
    const bots = options.bots ?? BOTS;
    const bytes = await withStack(folder, options, async (stack, db) => {
      const plan = await prepareRealFleet(stack, db, { folder, bots, seed: options.seed });
      await startFleet(db, stack.databaseUrl, plan);
      await delay((options.seconds ?? SECONDS) * 1000);
      return residentBytes(stack.pids().server ?? NaN);
    });
    return [
      { claim: 'npm start to ready, the very first', measured: seconds(first) },
      atMost(`npm start to ready, longest of ${STARTS} later`, Math.max(...later), START_LIMIT_SEC, seconds),
      { claim: 'npm start to ready, shortest', measured: seconds(Math.min(...later)) },
      atMost(`memory of the server with ${bots} active bots`, bytes, MEMORY_LIMIT_BYTES, megabytes),
    ];
  });
}

/** Runs `npm start` until it says that it is ready, then Ctrl-C. Answers the seconds until then. */
async function npmStart(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, KERVAN_DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, as a terminal gives it: Ctrl-C there reaches every process of the group.
    detached: true,
  });
  if (npm.pid === undefined) throw new Error('npm could not be started');
  const ended = once(npm, 'exit');
  let took: number | undefined;
  let said = '';
  const lines = createInterface(npm.stdout);
  const stop = (): void => void (npm.pid !== undefined && process.kill(-npm.pid, 'SIGINT'));
  lines.on('line', (line) => {
    said += `${line}\n`;
    if (took !== undefined || !line.startsWith('Kervan is ready')) return;
    took = (performance.now() - startedAt) / 1000;
    stop();
  });
  try {
    await orInterrupted(ended);
  } catch (error) {
    stop();
    await ended;
    throw error;
  }
  if (took === undefined) throw new Error(`npm start ended before it was ready:\n${said}`);
  return took;
}
