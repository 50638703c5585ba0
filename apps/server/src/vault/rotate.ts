import { createSecretKey, randomBytes } from 'node:crypto';
import type { Database, Schema } from '@kervan/database';
import { sql, type Transaction } from 'kysely';
import { keyFile, nextKeyFile, removeKeyFile, switchKeyFiles, writeKeyFile } from './key-file.ts';
import { checkValue, wipe, type KeySource, type OpenedMasterKey } from './master-key.ts';
import { keyFromPassphrase, newKdf, type Kdf } from './passphrase.ts';
import { VaultError } from './vault-error.ts';
import { unwrapDataKey, wrapDataKey, type MasterKey } from './vault.ts';

/** Where the next master key comes from. A file's is made here. */
export type NextKey =
  | { source: 'environment'; key: Uint8Array }
  | { source: 'passphrase'; passphrase: string }
  | { source: 'file' };

/** Where a rotation can be cut off; tests do so. */
export type RotationStep = 'key-file-written' | 'committed';

interface Rotation {
  db: Database;
  dataDir: string;
  current: OpenedMasterKey;
  next: NextKey;
  afterStep?: (step: RotationStep) => void;
}

/**
 * Re-wraps every data key under a new master key, in one transaction. A crash at any point leaves a vault that
 * opens at the next start: with the old key before the commit, with the new one after it (a new key file is
 * written beside the old one before the transaction, and takes its place after it).
 *
 * @returns how many wallets were re-wrapped
 */
export async function rotateMasterKey(rotation: Rotation): Promise<number> {
  const { db, dataDir, current, next, afterStep = () => {} } = rotation;
  const { key, kdf } = await keyOf(next);
  if (next.source === 'file') {
    await removeKeyFile(nextKeyFile(dataDir));
    await writeKeyFile(nextKeyFile(dataDir), key);
  }
  afterStep('key-file-written');
  const version = current.version + 1;
  const wallets = await db.transaction().execute(async (trx) => {
    await requireCurrent(trx, current);
    const count = await rewrap(trx, current, { key: createSecretKey(key), version });
    // What signs access tokens comes from the master key; the refresh tokens, which do not, must not outlive it.
    await trx
      .updateTable('sessions')
      .set({ revoked_at: sql`now()` })
      .where('revoked_at', 'is', null)
      .execute();
    await trx
      .updateTable('vault')
      .set({
        version,
        source: next.source satisfies KeySource,
        kdf: kdf === null ? null : JSON.stringify(kdf),
        check_value: checkValue(key, version),
      })
      .execute();
    return count;
  });
  afterStep('committed');
  wipe(key, next.source);
  if (next.source === 'file') await switchKeyFiles(dataDir);
  // A file that opens nothing any more would only puzzle.
  else if (current.source === 'file') await removeKeyFile(keyFile(dataDir));
  return wallets;
}

async function keyOf(next: NextKey): Promise<{ key: Uint8Array; kdf: Kdf | null }> {
  switch (next.source) {
    case 'environment':
      return { key: next.key, kdf: null };
    case 'file':
      return { key: randomBytes(32), kdf: null };
    case 'passphrase': {
      const kdf = newKdf();
      return { key: await keyFromPassphrase(next.passphrase, kdf), kdf };
    }
  }
}

async function requireCurrent(trx: Transaction<Schema>, current: MasterKey): Promise<void> {
  const { version } = await trx.selectFrom('vault').select('version').forUpdate().executeTakeFirstOrThrow();
  if (version !== current.version) throw new VaultError('The master key was changed meanwhile. Start again.');
}

/** What has data keys: rows of users that belong to a chain. */
const SEALED_TABLES = ['wallets', 'user_nodes'] as const;

async function rewrap(trx: Transaction<Schema>, from: MasterKey, to: MasterKey): Promise<number> {
  const counts = [];
  for (const table of SEALED_TABLES) counts.push(await rewrapTable(trx, table, from, to));
  const [wallets = 0] = counts;
  return wallets;
}

async function rewrapTable(
  trx: Transaction<Schema>,
  table: (typeof SEALED_TABLES)[number],
  from: MasterKey,
  to: MasterKey,
): Promise<number> {
  await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(trx);
  const rows = await trx
    .selectFrom(table)
    .select(['id', 'user_id', 'chain', 'wrapped_data_key'])
    .where('wrapped_data_key', 'is not', null)
    .execute();
  const [ids, wrapped]: [string[], Buffer[]] = [[], []];
  for (const row of rows) {
    if (row.wrapped_data_key === null) continue;
    const owner = { userId: row.user_id, walletId: row.id, chain: row.chain };
    const dataKey = unwrapDataKey(from, owner, row.wrapped_data_key);
    ids.push(row.id);
    wrapped.push(wrapDataKey(to, owner, dataKey));
    dataKey.fill(0);
  }
  await sql`
    update ${sql.table(table)} sealed set wrapped_data_key = changed.wrapped
    from unnest(${ids}::uuid[], ${wrapped}::bytea[]) as changed (id, wrapped)
    where sealed.id = changed.id`.execute(trx);
  return ids.length;
}
