import { fileURLToPath } from 'node:url';
import { ProcessLockHeldError } from '@kervan/database';
import { readConfig } from './config.ts';
import { startStack, type Stack, type StackOptions } from './stack.ts';
import { watchSources } from './watch-sources.ts';

/** One Ctrl-C reaches us more than once: from the terminal, and forwarded by npm and the run script. */
const SAME_PRESS_MS = 1_000;
const WRAPPER_CHECK_MS = 250;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SERVER_SOURCES = [
  'apps/server/src',
  'packages/contract/src',
  'packages/domain/src',
  'packages/chains/src',
  'packages/database/src',
];

/**
 * The launcher's process: starts the stack as the environment says, prints the address when it is ready, and
 * turns signals into a clean end (exit code 0) or, at the second Ctrl-C, a forced one (130).
 *
 * @param options.dev restarts the server when its sources change
 */
export async function runLauncher(options: {
  dev: boolean;
  programs?: StackOptions['programs'];
}): Promise<void> {
  const starting = new AbortController();
  let stack: Stack | undefined;
  let stopAskedAt: number | undefined;

  function onStopSignal(): void {
    if (stopAskedAt === undefined) {
      stopAskedAt = performance.now();
      print('Stopping');
      starting.abort();
      if (stack !== undefined) stopAndExit(stack).catch(fail);
    } else if (performance.now() - stopAskedAt > SAME_PRESS_MS) {
      print('Stopping by force');
      stack?.abort();
      process.exit(130);
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onStopSignal);
  if (process.env['KERVAN_WRAPPED'] === '1') onWrapperDeath(onStopSignal);

  try {
    const config = readConfig(process.env);
    stack = await startStack({
      ...config,
      signal: starting.signal,
      ...(options.programs && { programs: options.programs }),
    });
    if (options.dev) restartServerOnChange(stack);
    print(`Data is in ${config.dataDir}`);
    print(`Kervan is ready: ${stack.url}`);
  } catch (error) {
    // A start that was given up on request fails in whatever it was doing.
    if (starting.signal.aborted) process.exit(0);
    fail(error);
  }
}

async function stopAndExit(stack: Stack): Promise<void> {
  await stack.stop();
  process.exit(0);
}

function restartServerOnChange(stack: Stack): void {
  print('The server restarts when its sources change');
  watchSources(ROOT, SERVER_SOURCES, () => {
    print('Sources changed');
    stack.restart('server').catch(fail);
  });
}

/** The run script may be killed without being able to tell us; nobody could stop us after that. */
function onWrapperDeath(stop: () => void): void {
  const wrapper = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === wrapper) return;
    clearInterval(timer);
    stop();
  }, WRAPPER_CHECK_MS);
  timer.unref();
}

function fail(error: unknown): never {
  print(describe(error));
  process.exit(1);
}

function describe(error: unknown): string {
  if (error instanceof ProcessLockHeldError) {
    return `Kervan already runs on this data directory (process ${error.pid}). Stop it, or set KERVAN_DATA_DIR.`;
  }
  if (!(error instanceof Error)) return String(error);
  // What has a code was foreseen: its message says enough.
  return 'code' in error ? error.message : (error.stack ?? error.message);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
