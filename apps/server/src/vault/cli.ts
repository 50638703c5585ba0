import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedPostgresError } from '@kervan/database';
import { parseMasterKey } from '../config.ts';
import { createNetworks } from '../engine/networks.ts';
import { openDatabase } from '../lib/open-database.ts';
import { ask } from '../lib/terminal.ts';
import { exportKeys, rotate, showStatus, type Console } from './commands.ts';
import type { KeySources } from './master-key.ts';
import { readPassphraseFile } from './passphrase.ts';
import { whileAlone } from './presence.ts';
import { VaultError } from './vault-error.ts';

const USAGE = `npm run vault -- status
npm run vault -- export [--out FILE]
npm run vault -- rotate [--to file | environment | passphrase]

Uses KERVAN_DATA_DIR, DATABASE_URL, KERVAN_MASTER_KEY and KERVAN_PASSPHRASE_FILE as the server does.
rotate --to environment takes the new key from KERVAN_NEW_MASTER_KEY.
`;

const terminal: Console = {
  async ask(question, isHidden) {
    const answer = await ask(question, isHidden);
    if (answer === undefined) throw new VaultError('This needs a terminal.');
    return answer;
  },
  print: (line) => void process.stdout.write(`${line}\n`),
};

try {
  await run();
} catch (error) {
  const isExpected = error instanceof VaultError || error instanceof EmbeddedPostgresError;
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const options = { out: { type: 'string' }, to: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const [command] = positionals;
  if (command !== 'status' && command !== 'export' && command !== 'rotate') {
    process.stderr.write(USAGE);
    process.exitCode = 2;
    return;
  }

  const { KERVAN_DATA_DIR, DATABASE_URL, KERVAN_NEW_MASTER_KEY } = process.env;
  const sources = readSources(resolve(KERVAN_DATA_DIR || './data'), command);
  const database = await openDatabase(sources.dataDir, DATABASE_URL || undefined);
  const context = { db: database.db, sources, console: terminal };
  try {
    if (command === 'status') await showStatus(context);
    else if (command === 'rotate') {
      const isDone = await whileAlone(database.url, () => rotate(context, values.to, KERVAN_NEW_MASTER_KEY));
      if (!isDone) throw new VaultError('A server works with this vault. Stop it first.');
    } else {
      const networks = createNetworks({ sandboxPorts: undefined });
      await exportKeys(context, (chain) => networks.keys(chain), values.out).finally(() => networks.close());
    }
  } finally {
    await database.close();
  }
}

function readSources(dataDir: string, command: string): KeySources {
  const { KERVAN_MASTER_KEY, KERVAN_PASSPHRASE_FILE: file } = process.env;
  const environmentKey = parseMasterKey(KERVAN_MASTER_KEY ?? '');
  if (KERVAN_MASTER_KEY && !environmentKey) throw new VaultError('KERVAN_MASTER_KEY is not 32 bytes.');
  return {
    dataDir,
    environmentKey: environmentKey ?? null,
    // An export wants the person who knows the passphrase, not the machine that has it in a file.
    askPassphrase: () =>
      file && command !== 'export'
        ? readPassphraseFile(file)
        : terminal.ask('Passphrase of the vault: ', true),
    prefersPassphrase: false,
  };
}
