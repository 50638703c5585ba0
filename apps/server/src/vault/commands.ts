import { open } from 'node:fs/promises';
import type { Chain } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { parseMasterKey } from '../config.ts';
import type { ChainKeys } from '../engine/networks.ts';
import { checkedPassphrase, openMasterKey, readVaultRow, type KeySources } from './master-key.ts';
import { rotateMasterKey, type NextKey } from './rotate.ts';
import { VaultError } from './vault-error.ts';
import { createVault } from './vault.ts';

/** How a command meets the person at the machine. */
export interface Console {
  /** Throws when there is no terminal: these commands are for a person, not for a script that a thief left. */
  ask(question: string, isHidden: boolean): Promise<string>;
  print(line: string): void;
}

interface Context {
  db: Database;
  sources: KeySources;
  console: Console;
}

export async function showStatus({ db, sources, console }: Context): Promise<void> {
  const row = await readVaultRow(db);
  if (!row) {
    console.print('There is no vault yet: the first start of the server makes it.');
    return;
  }
  const { wallets } = await db
    .selectFrom('wallets')
    .select(({ fn }) => fn.countAll<bigint>().as('wallets'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  console.print(`Wallets: ${wallets}`);
  console.print(`Master key: from ${describe(row.source, sources)}, rotated ${row.version - 1} times`);
}

function describe(source: string, { dataDir }: KeySources): string {
  return source === 'file' ? `the file master.key in ${dataDir}` : `the ${source}`;
}

/**
 * Shows every private key in the form that other wallets import, on the terminal or in a new file that only its
 * owner can read.
 */
export async function exportKeys(
  { db, sources, console }: Context,
  keys: (chain: Chain) => Pick<ChainKeys, 'exportKey'>,
  file: string | undefined,
): Promise<void> {
  const { key, version, source } = await openMasterKey(db, sources);
  if (source !== 'passphrase') {
    const typed = await console.ask('This shows all private keys. Type EXPORT to go on: ', false);
    if (typed.trim() !== 'EXPORT') throw new VaultError('Nothing was exported.');
  }
  const vault = createVault({ key, version });
  const output = file === undefined ? undefined : await open(file, 'wx', 0o600);
  try {
    for (const wallet of await storedWallets(db)) {
      const { id: walletId, user_id: userId, chain, name, address } = wallet;
      const text = await vault.withSecret({ userId, walletId, chain }, wallet.sealed, (secret) =>
        keys(chain).exportKey(secret),
      );
      const line = [chain, wallet.username, name, address, text].join('\t');
      if (output) await output.write(`${line}\n`);
      else console.print(line);
    }
    await output?.sync();
  } finally {
    await output?.close();
    vault.lock();
  }
  if (file !== undefined) console.print(`The keys are in ${file}. Delete it when it is no longer needed.`);
}

async function storedWallets(db: Database) {
  const rows = await db
    .selectFrom('wallets')
    .innerJoin('users', 'users.id', 'wallets.user_id')
    .select(['wallets.id', 'user_id', 'username', 'chain', 'name', 'address'])
    .select(['sealed_key', 'wrapped_data_key'])
    .where('deleted_at', 'is', null)
    .orderBy('wallets.id')
    .execute();
  return rows.flatMap(({ sealed_key: sealedKey, wrapped_data_key: wrappedDataKey, ...wallet }) =>
    sealedKey && wrappedDataKey ? [{ ...wallet, sealed: { sealedKey, wrappedDataKey } }] : [],
  );
}

/** Changes the master key, and where it comes from when `to` says so. Only while no server runs. */
export async function rotate(
  { db, sources, console }: Context,
  to: string | undefined,
  newEnvironmentKey: string | undefined,
): Promise<void> {
  const current = await openMasterKey(db, sources);
  const next = await nextKey(to ?? current.source, console, newEnvironmentKey);
  const wallets = await rotateMasterKey({ db, dataDir: sources.dataDir, current, next });
  console.print(`The keys of ${wallets} wallets are wrapped by the new master key. Everyone signs in again.`);
  if (next.source === 'environment')
    console.print('Start the server with KERVAN_MASTER_KEY set to the new key.');
}

async function nextKey(
  to: string,
  console: Console,
  newEnvironmentKey: string | undefined,
): Promise<NextKey> {
  switch (to) {
    case 'file':
      return { source: 'file' };
    case 'environment': {
      const key = parseMasterKey(newEnvironmentKey ?? '');
      if (key) return { source: 'environment', key };
      throw new VaultError('Set KERVAN_NEW_MASTER_KEY to 32 bytes as 64 hex digits or base64.');
    }
    case 'passphrase': {
      const passphrase = checkedPassphrase(await console.ask('New passphrase: ', true));
      const again = await console.ask('Once more: ', true);
      if (again !== passphrase) throw new VaultError('The two are not the same. Nothing was changed.');
      return { source: 'passphrase', passphrase };
    }
    default:
      throw new VaultError(`--to is file, environment or passphrase, not ${to}.`);
  }
}
