import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

// Kept for a server that has to be started again, when nobody may be there to type it.
let typed: string | undefined;

/** Asks on the launcher's terminal for a part that has none; what is typed does not show. Null without a terminal. */
export async function askPassphrase(question: string): Promise<string | null> {
  if (typed !== undefined) return typed;
  if (!process.stdin.isTTY) return null;
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  // In raw mode the terminal gives us Ctrl-C as a character.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    process.stdout.write(question);
    typed = await reader.question('');
    return typed;
  } finally {
    process.stdout.write('\n');
    reader.close();
  }
}
