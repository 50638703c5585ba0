import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { askPassphrase } from './ask-passphrase.ts';
import type { Run, RunEnd } from './supervise.ts';

/** A part that replays a long journal may need a while; one that needs longer than this hangs. */
const READY_TIMEOUT_MS = 120_000;
const STOP_GRACE_MS = 10_000;

export interface ReadyMessage {
  ready: true;
  [field: string]: unknown;
}

/**
 * Starts a Node program that tells by IPC message `{ready: true, ...}` when it serves, ends cleanly on SIGTERM,
 * and ends by itself when its IPC channel closes, which is what happens when this process is killed.
 *
 * @param child.args what follows `node`
 * @param child.env the whole environment of the child
 * @param child.output gets its stdout and stderr
 */
export function startNodeChild(child: {
  args: string[];
  env: NodeJS.ProcessEnv;
  output: Writable;
}): Run<ReadyMessage> {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<ReadyMessage>();
  const program = spawn(process.execPath, child.args, {
    env: child.env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Out of our process group: Ctrl-C must reach the launcher alone, which stops the parts in order.
    detached: true,
  });
  program.stdout?.pipe(child.output, { end: false });
  program.stderr?.pipe(child.output, { end: false });
  program.on('message', (message) => {
    if (isReadyMessage(message)) becomeReady(message);
    else if (isQuestion(message)) void answer(message.ask);
  });

  let isLate = false;
  const lateness = setTimeout(() => {
    isLate = true;
    program.kill('SIGKILL');
  }, READY_TIMEOUT_MS);

  async function answer(question: string): Promise<void> {
    // A person may take long.
    clearTimeout(lateness);
    const passphrase = await askPassphrase(question);
    if (program.connected) program.send({ passphrase });
  }
  void ready.then(() => clearTimeout(lateness));
  const ended = new Promise<RunEnd>((resolve) => {
    program.once('error', (error) => resolve({ how: error.message, gaveUp: true }));
    program.once('exit', (code, signal) => {
      if (isLate) resolve({ how: 'it was not ready in time', gaveUp: true });
      else if (signal !== null) resolve({ how: `signal ${signal}`, gaveUp: false });
      else resolve({ how: `exit code ${code}`, gaveUp: true });
    });
  }).finally(() => clearTimeout(lateness));

  return {
    pid: program.pid,
    ready,
    ended,
    async stop() {
      program.kill('SIGTERM');
      const timer = new AbortController();
      const isOver = await Promise.race([
        ended.then(() => true),
        delay(STOP_GRACE_MS, false, { signal: timer.signal }).catch(() => false),
      ]);
      timer.abort();
      if (!isOver) program.kill('SIGKILL');
      await ended;
    },
  };
}

/** `{ask}`: the part needs the vault's passphrase, and waits for `{passphrase}`. */
function isQuestion(message: unknown): message is { ask: string } {
  return (
    typeof message === 'object' && message !== null && 'ask' in message && typeof message.ask === 'string'
  );
}

function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'ready' in message && message.ready === true;
}
