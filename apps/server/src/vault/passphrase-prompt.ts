import { z } from 'zod';
import { ask, hasTerminal } from '../lib/terminal.ts';
import { readPassphraseFile } from './passphrase.ts';

const QUESTION = 'Passphrase of the vault: ';
const answerSchema = z.object({ passphrase: z.string().nullable() });

/** How to come by the passphrase: from the file, from the launcher's terminal or from our own; undefined without any. */
export function passphrasePrompt(passphraseFile: string | null): (() => Promise<string>) | undefined {
  if (passphraseFile !== null) return () => readPassphraseFile(passphraseFile);
  if (process.connected) return askLauncher;
  if (!hasTerminal()) return undefined;
  return async () => (await ask(QUESTION, true)) ?? '';
}

/** The launcher has the terminal. It answers null when it has none either. */
function askLauncher(): Promise<string> {
  return new Promise((resolve) => {
    const onMessage = (message: unknown): void => {
      const answer = answerSchema.safeParse(message);
      if (!answer.success) return;
      process.off('message', onMessage);
      resolve(answer.data.passphrase ?? '');
    };
    process.on('message', onMessage);
    process.send?.({ ask: QUESTION });
  });
}
