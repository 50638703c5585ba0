import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ReadStream } from 'node:tty';

/** The terminal that this process was started from, whatever its standard input is; undefined without one. */
function openTerminal(): ReadStream | undefined {
  if (process.platform === 'win32') return process.stdin.isTTY ? process.stdin : undefined;
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    return undefined;
  }
}

export function hasTerminal(): boolean {
  const terminal = openTerminal();
  if (terminal !== process.stdin) terminal?.destroy();
  return terminal !== undefined;
}

/** Asks on the terminal; with `isHidden`, what is typed does not show. Undefined when there is no terminal. */
export async function ask(question: string, isHidden = false): Promise<string | undefined> {
  const input = openTerminal();
  if (!input) return undefined;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: isHidden ? silent : process.stderr, terminal: true });
  // In raw mode the terminal gives us Ctrl-C as a character.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    if (isHidden) process.stderr.write(question);
    return await reader.question(isHidden ? '' : question);
  } finally {
    if (isHidden) process.stderr.write('\n');
    reader.close();
    if (input !== process.stdin) input.destroy();
  }
}
