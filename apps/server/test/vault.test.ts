import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, migrate, type Database } from '@kervan/database';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUserNodes } from '../src/engine/user-nodes.ts';
import { uuidv7 } from '../src/lib/ids.ts';
import { openMasterKey, type KeySources } from '../src/vault/master-key.ts';
import { showPresence, whileAlone } from '../src/vault/presence.ts';
import { rotateMasterKey, type NextKey, type RotationStep } from '../src/vault/rotate.ts';
import { VaultError } from '../src/vault/vault-error.ts';
import { createVault, type KeyOwner } from '../src/vault/vault.ts';
import { createDatabase, createDataDir } from './harness.ts';

// Windows knows no such modes.
const OWNER_ONLY = process.platform === 'win32' ? 0o666 : 0o600;
const PASSPHRASE = 'correct horse battery';
const userId = uuidv7();

let url: string;
let db: Database;
let dataDir: string;
let sources: KeySources;

beforeEach(async () => {
  [url, dataDir] = await Promise.all([createDatabase(), createDataDir()]);
  db = connect(url, { max: 3 });
  await migrate(db);
  await db
    .insertInto('users')
    .values({ id: userId, username: 'u', username_key: 'u', password_hash: '' })
    .execute();
  sources = { dataDir, environmentKey: null, askPassphrase: undefined, prefersPassphrase: false };
});
afterEach(() => db.destroy());

const withPassphrase = (passphrase: string): KeySources => ({
  ...sources,
  askPassphrase: () => Promise.resolve(passphrase),
  prefersPassphrase: true,
});

/** Stores a wallet whose secret is `secret`. */
async function storeWallet(secret: Buffer, from = sources): Promise<KeyOwner> {
  const owner = { userId, walletId: uuidv7(), chain: 'solana' } as const;
  const sealed = createVault(await openMasterKey(db, from)).seal(owner, secret);
  await db
    .insertInto('wallets')
    .values({
      id: owner.walletId,
      user_id: userId,
      chain: 'solana',
      name: 'w',
      address: owner.walletId,
      sealed_key: sealed.sealedKey,
      wrapped_data_key: sealed.wrappedDataKey,
    })
    .execute();
  return owner;
}

/** What a start finds: opens the vault from its sources and the wallet's secret with it. */
async function readWallet(owner: KeyOwner, from = sources): Promise<string> {
  const vault = createVault(await openMasterKey(db, from));
  const row = await db
    .selectFrom('wallets')
    .select(['sealed_key', 'wrapped_data_key'])
    .where('id', '=', owner.walletId)
    .executeTakeFirstOrThrow();
  if (!row.sealed_key || !row.wrapped_data_key) throw new Error('the wallet has no key');
  const sealed = { sealedKey: row.sealed_key, wrappedDataKey: row.wrapped_data_key };
  return await vault.withSecret(owner, sealed, (secret) =>
    Promise.resolve(Buffer.from(secret).toString('hex')),
  );
}

async function rotate(next: NextKey, from = sources, afterStep?: (step: RotationStep) => void) {
  const current = await openMasterKey(db, from);
  return await rotateMasterKey({ db, dataDir, current, next, ...(afterStep && { afterStep }) });
}

describe('the master key', () => {
  test('is made at the first start, in a file that only its owner can read, and stays', async () => {
    const secret = randomBytes(32);
    const owner = await storeWallet(secret);
    const { mode } = await stat(join(dataDir, 'master.key'));
    expect(mode & 0o777).toBe(OWNER_ONLY);
    expect(await readWallet(owner)).toBe(secret.toString('hex'));
  });

  test('processes that start together for the first time agree on one', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => openMasterKey(db, sources)));
    const [first] = all;
    expect(all.every(({ key }) => first !== undefined && key.equals(first.key))).toBe(true);
  });

  test('a missing or another key file is found at start, and said', async () => {
    await openMasterKey(db, sources);
    const path = join(dataDir, 'master.key');
    await rm(path);
    await expect(openMasterKey(db, sources)).rejects.toThrow(/is missing. Put the file back/);
    await writeFile(path, randomBytes(32).toString('hex'));
    await expect(openMasterKey(db, sources)).rejects.toThrow(/is not the key that the vault is sealed under/);
    await writeFile(path, 'rubbish');
    await expect(openMasterKey(db, sources)).rejects.toThrow(/does not hold a master key/);
  });

  test('from the environment leaves no file, and another one is refused', async () => {
    const environment = { ...sources, environmentKey: randomBytes(32) };
    const owner = await storeWallet(Buffer.alloc(32, 7), environment);
    expect(existsSync(join(dataDir, 'master.key'))).toBe(false);
    expect(await readWallet(owner, environment)).toBe('07'.repeat(32));
    await expect(openMasterKey(db, sources)).rejects.toThrow(/KERVAN_MASTER_KEY, which is not set/);
    await expect(openMasterKey(db, { ...sources, environmentKey: randomBytes(32) })).rejects.toThrow(
      VaultError,
    );
  });

  test('a key or passphrase that is given beside a vault under the file is refused, not ignored', async () => {
    await openMasterKey(db, sources);
    const both = { ...sources, environmentKey: randomBytes(32) };
    await expect(openMasterKey(db, both)).rejects.toThrow(/rotate --to environment/);
    await expect(openMasterKey(db, withPassphrase(PASSPHRASE))).rejects.toThrow(/rotate --to passphrase/);
  });

  test('from a passphrase needs that passphrase, and a terminal or file to get it', async () => {
    const owner = await storeWallet(Buffer.alloc(32, 7), withPassphrase(PASSPHRASE));
    expect(await readWallet(owner, withPassphrase(PASSPHRASE))).toBe('07'.repeat(32));
    await expect(openMasterKey(db, withPassphrase('something else'))).rejects.toThrow(VaultError);
    await expect(openMasterKey(db, sources)).rejects.toThrow(/KERVAN_PASSPHRASE_FILE/);
  });

  test('a short passphrase is refused', async () => {
    await expect(openMasterKey(db, withPassphrase('short'))).rejects.toThrow(/at least 12/);
  });
});

describe('rotation', () => {
  test('signs everyone out', async () => {
    await openMasterKey(db, sources);
    const session = { user_id: userId, expires_at: new Date(Date.now() + 60_000) };
    const ended = new Date('2026-01-01T00:00:00Z');
    await db
      .insertInto('sessions')
      .values([
        { id: uuidv7(1), ...session },
        { id: uuidv7(2), ...session, revoked_at: ended },
      ])
      .execute();
    await rotate({ source: 'file' });
    const rows = await db.selectFrom('sessions').select('revoked_at').orderBy('id').execute();
    expect(rows).toEqual([{ revoked_at: expect.any(Date) }, { revoked_at: ended }]);
  });

  test('re-wraps users’ nodes as well', async () => {
    const nodesUnder = async () => {
      const vault = createVault(await openMasterKey(db, sources));
      const nodes = createUserNodes({ db, vault, logger: pino({ level: 'silent' }) });
      await nodes.load();
      return nodes;
    };
    const node = { value: 'a-provider-key', hint: '…' };
    await (await nodesUnder()).store(db, userId, 'solana-provider-key', node);
    await rotate({ source: 'file' });
    expect((await nodesUnder()).find(userId, 'solana', 'mainnet')).toBe('a-provider-key');
  });

  test('re-wraps every wallet, and the old key opens nothing any more', async () => {
    const secrets = Array.from({ length: 20 }, () => randomBytes(32));
    const owners: KeyOwner[] = [];
    for (const secret of secrets) owners.push(await storeWallet(secret));
    const before = await openMasterKey(db, sources);
    const oldFile = await readFile(join(dataDir, 'master.key'), 'utf8');

    expect(await rotate({ source: 'file' })).toBe(20);

    expect(await readFile(join(dataDir, 'master.key'), 'utf8')).not.toBe(oldFile);
    for (const [index, owner] of owners.entries()) {
      expect(await readWallet(owner)).toBe(secrets[index]?.toString('hex'));
    }
    // A process that still has the old key sees that it is locked out, and not that wallets are damaged.
    const row = await db.selectFrom('wallets').selectAll().executeTakeFirstOrThrow();
    const sealed = {
      sealedKey: row.sealed_key ?? Buffer.alloc(0),
      wrappedDataKey: row.wrapped_data_key ?? Buffer.alloc(0),
    };
    const [owner] = owners;
    if (!owner) throw new Error('there are twenty');
    await expect(
      createVault(before).withSecret(owner, sealed, () => Promise.resolve()),
    ).rejects.toMatchObject({ code: 'VAULT_LOCKED' });
  });

  test.each<RotationStep>(['key-file-written', 'committed'])(
    'cut off at %s, the vault opens at the next start and can be rotated again',
    async (last) => {
      const owner = await storeWallet(Buffer.alloc(32, 7));
      const cutOff = rotate({ source: 'file' }, sources, (step) => {
        if (step === last) throw new Error('killed');
      });
      await expect(cutOff).rejects.toThrow('killed');
      expect(await readWallet(owner)).toBe('07'.repeat(32));
      expect(existsSync(join(dataDir, 'master.key.next'))).toBe(false);
      await rotate({ source: 'file' });
      expect(await readWallet(owner)).toBe('07'.repeat(32));
    },
  );

  test('a transaction that fails changes nothing', async () => {
    const owner = await storeWallet(Buffer.alloc(32, 7));
    const stale = await openMasterKey(db, sources);
    await rotate({ source: 'file' });
    await expect(rotateMasterKey({ db, dataDir, current: stale, next: { source: 'file' } })).rejects.toThrow(
      /changed meanwhile/,
    );
    expect(await readWallet(owner)).toBe('07'.repeat(32));
  });

  test('moves the vault from file to passphrase to environment and back', async () => {
    const owner = await storeWallet(Buffer.alloc(32, 7));
    await rotate({ source: 'passphrase', passphrase: PASSPHRASE });
    expect(await readWallet(owner, withPassphrase(PASSPHRASE))).toBe('07'.repeat(32));
    expect(existsSync(join(dataDir, 'master.key'))).toBe(false);
    const key = randomBytes(32);
    await rotate({ source: 'environment', key }, withPassphrase(PASSPHRASE));
    const environment = { ...sources, environmentKey: key };
    expect(await readWallet(owner, environment)).toBe('07'.repeat(32));
    await rotate({ source: 'file' }, environment);
    expect(await readWallet(owner)).toBe('07'.repeat(32));
  });

  test('waits for no server: while one works with the vault it is refused', async () => {
    const presence = showPresence(url);
    await expect.poll(() => whileAlone(url, () => Promise.resolve())).toBe(false);
    await presence.leave();
    await expect.poll(() => whileAlone(url, () => Promise.resolve())).toBe(true);
  });
});
