import { createSecretKey, randomBytes } from 'node:crypto';
import type { Database } from '@kervan/database';
import {
  keyFile,
  nextKeyFile,
  readKeyFile,
  removeKeyFile,
  switchKeyFiles,
  writeKeyFile,
} from './key-file.ts';
import { kdfSchema, keyFromPassphrase, newKdf, PASSPHRASE_MIN_LENGTH, type Kdf } from './passphrase.ts';
import { open, seal } from './sealing.ts';
import { VaultError } from './vault-error.ts';
import type { MasterKey } from './vault.ts';

export type KeySource = 'environment' | 'file' | 'passphrase';

/** Where a master key may come from on this machine. */
export interface KeySources {
  dataDir: string;
  environmentKey: Buffer | null;
  /** Undefined: the first start does not use a passphrase. Asked for once at most. */
  askPassphrase: (() => Promise<string>) | undefined;
  /** Whether a new vault is to be made under the passphrase. */
  prefersPassphrase: boolean;
}

export interface OpenedMasterKey extends MasterKey {
  source: KeySource;
}

/**
 * Finds the master key that the vault in the database is sealed under, making both at the first start.
 * @throws VaultError when the key at hand is another one
 */
export async function openMasterKey(db: Database, sources: KeySources): Promise<OpenedMasterKey> {
  const row = (await readVaultRow(db)) ?? (await createVaultRow(db, sources));
  const { source, version } = row;
  const key = await findKey(row, sources);
  try {
    return { key: createSecretKey(key), version, source };
  } finally {
    wipe(key, source);
  }
}

/** From its KeyObject a key can't be read by mistake. That from the environment is the caller's to wipe. */
export function wipe(key: Uint8Array, source: KeySource): void {
  if (source !== 'environment') key.fill(0);
}

interface VaultRow {
  version: number;
  source: KeySource;
  kdf: unknown;
  check_value: Buffer;
}

export async function readVaultRow(db: Database): Promise<VaultRow | undefined> {
  return await db.selectFrom('vault').select(['version', 'source', 'kdf', 'check_value']).executeTakeFirst();
}

async function createVaultRow(db: Database, sources: KeySources): Promise<VaultRow> {
  const { source, key, kdf } = await newKey(sources);
  await db
    .insertInto('vault')
    .values({
      version: 1,
      source,
      kdf: kdf === null ? null : JSON.stringify(kdf),
      check_value: checkValue(key, 1),
    })
    // Another process that starts at the same time may have been faster: its row holds.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  wipe(key, source);
  const row = await readVaultRow(db);
  if (!row) throw new Error('the vault row has just been written');
  return row;
}

async function newKey(sources: KeySources): Promise<{ source: KeySource; key: Buffer; kdf: Kdf | null }> {
  if (sources.environmentKey) return { source: 'environment', key: sources.environmentKey, kdf: null };
  if (sources.prefersPassphrase && sources.askPassphrase) {
    const kdf = newKdf();
    const passphrase = checkedPassphrase(await sources.askPassphrase());
    return { source: 'passphrase', key: await keyFromPassphrase(passphrase, kdf), kdf };
  }
  return { source: 'file', key: await findOrMakeKeyFile(sources.dataDir), kdf: null };
}

export function checkedPassphrase(passphrase: string): string {
  if (passphrase.length >= PASSPHRASE_MIN_LENGTH) return passphrase;
  throw new VaultError(`A passphrase has at least ${PASSPHRASE_MIN_LENGTH} characters.`);
}

async function findOrMakeKeyFile(dataDir: string): Promise<Buffer> {
  const path = keyFile(dataDir);
  const found = await readKeyFile(path);
  if (found) return found;
  const key = randomBytes(32);
  try {
    await writeKeyFile(path, key);
    return key;
  } catch (error) {
    const made = await readKeyFile(path);
    if (made) return made;
    throw error;
  }
}

/** The key that opens the vault's check value. */
async function findKey(row: VaultRow, sources: KeySources): Promise<Buffer> {
  switch (row.source) {
    case 'environment':
      return keyFromEnvironment(row, sources);
    case 'file':
      return keyFromFile(row, sources);
    case 'passphrase':
      return keyFromTypedPassphrase(row, sources);
    default:
      throw new VaultError(`The vault names an unknown source of its master key: ${String(row.source)}`);
  }
}

function keyFromEnvironment(row: VaultRow, { environmentKey }: KeySources): Buffer {
  if (!environmentKey) {
    throw new VaultError('The vault is sealed under the key in KERVAN_MASTER_KEY, which is not set.');
  }
  if (isKeyOf(row, environmentKey)) return environmentKey;
  throw new VaultError('KERVAN_MASTER_KEY is not the key that the vault is sealed under.');
}

async function keyFromFile(
  row: VaultRow,
  { dataDir, environmentKey, prefersPassphrase }: KeySources,
): Promise<Buffer> {
  const [path, nextPath] = [keyFile(dataDir), nextKeyFile(dataDir)];
  const key = await readKeyFile(path);
  const next = await readKeyFile(nextPath);
  if (key && isKeyOf(row, key)) {
    // Left by a rotation that was cut off before its transaction.
    if (next) await removeKeyFile(nextPath);
    refuseUnusedKey(environmentKey, key);
    if (prefersPassphrase) {
      throw new VaultError(
        'KERVAN_PASSPHRASE_FILE is set, but the vault is sealed under the key file. ' +
          'Unset it, or move the vault with: npm run vault -- rotate --to passphrase',
      );
    }
    return key;
  }
  if (next && isKeyOf(row, next)) {
    // Cut off after its transaction: only this was left to do.
    await switchKeyFiles(dataDir);
    return next;
  }
  throw new VaultError(
    key
      ? `${path} is not the key that the vault is sealed under. Put back the file that belongs to this database.`
      : `The vault is sealed under the key in ${path}, which is missing. Put the file back.`,
  );
}

/** A key in the environment that is not in use is a misunderstanding that would surface when the file is lost. */
function refuseUnusedKey(environmentKey: Buffer | null, key: Buffer): void {
  if (environmentKey === null || environmentKey.equals(key)) return;
  throw new VaultError(
    'KERVAN_MASTER_KEY is set, but the vault is sealed under the key file. ' +
      'Unset it, or move the vault with: npm run vault -- rotate --to environment',
  );
}

async function keyFromTypedPassphrase(row: VaultRow, { askPassphrase }: KeySources): Promise<Buffer> {
  if (!askPassphrase) {
    throw new VaultError(
      'The vault is sealed under a passphrase. Start on a terminal, or name a file that holds it in KERVAN_PASSPHRASE_FILE.',
    );
  }
  const key = await keyFromPassphrase(await askPassphrase(), kdfSchema.parse(row.kdf));
  if (isKeyOf(row, key)) return key;
  throw new VaultError('This is not the passphrase that the vault is sealed under.');
}

const CHECK_TEXT = Buffer.from('kervan vault');

/** A known text sealed under the key, by which a wrong key is found at start and not at the first trade. */
export function checkValue(key: Uint8Array, version: number): Buffer {
  return seal(createSecretKey(key), CHECK_TEXT, `kervan check ${version}`);
}

export function isKeyOf(row: Pick<VaultRow, 'version' | 'check_value'>, key: Uint8Array): boolean {
  try {
    return open(createSecretKey(key), row.check_value, `kervan check ${row.version}`).equals(CHECK_TEXT);
  } catch {
    return false;
  }
}
