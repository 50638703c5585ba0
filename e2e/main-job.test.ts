import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { API_BASE, NATIVE, routes, serverEvents, type Chain } from '@kervan/contract';
import { connect, type Database } from '@kervan/database';
import { parseUnits } from '@kervan/domain';
import {
  createKeyPairFromPrivateKeyBytes,
  getAddressFromPublicKey,
  getBase58Decoder,
  getBase58Encoder,
} from '@solana/kit';
import { sql } from 'kysely';
import { io, type Socket } from 'socket.io-client';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startStack, type Stack } from '../apps/launcher/src/stack.ts';
import { openMasterKey } from '../apps/server/src/vault/master-key.ts';
import { createVault } from '../apps/server/src/vault/vault.ts';
import { createApiClient, type ApiClient } from './lib/api-client.ts';
import { audit, type Granted } from './lib/audit.ts';
import { bscMovements, solanaMovements } from './lib/chain-movements.ts';
import { bscRecord, solanaRecord } from './lib/chain-record.ts';
import { findNeedles, needlesOf, searchFiles, type Needle } from './lib/secrets.ts';
import { verifyTrades } from './lib/verify-trades.ts';

let dataDir: string;
let stack: Stack;
let db: Database;
let socket: Socket;
let api: ApiClient;
/** Everything the product said to anybody. */
const said: Buffer[] = [];
const needles: Needle[] = [];
const granted: Granted[] = [];

const overheard: typeof fetch = async (...call) => {
  const response = await fetch(...call);
  said.push(Buffer.from(await response.clone().arrayBuffer()));
  return response;
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kervan-main-job-'));
  stack = await startStack({
    dataDir,
    env: { ...process.env, KERVAN_LOG_LEVEL: 'trace' },
    output: new Writable({
      write(chunk: Buffer, _encoding, done) {
        said.push(Buffer.from(chunk));
        done();
      },
    }),
  });
  db = connect(stack.databaseUrl, { max: 2 });
});

afterAll(async () => {
  socket.close();
  await db.destroy();
  await stack.stop();
  await rm(dataDir, { recursive: true });
});

async function importSolanaWallet(name: string, form: 'base58' | 'array') {
  const seed = randomBytes(32);
  const { publicKey } = await createKeyPairFromPrivateKeyBytes(seed);
  const address = await getAddressFromPublicKey(publicKey);
  const whole = Buffer.concat([seed, Buffer.from(getBase58Encoder().encode(address))]);
  needles.push(...needlesOf(name, seed, whole.subarray(32)));
  const text = form === 'base58' ? getBase58Decoder().decode(whole) : JSON.stringify([...whole]);
  const wallet = await api.call(routes.createWallet, { body: { name, private_key: text } });
  expect(wallet.public_key).toBe(address);
  return wallet;
}

async function importBscWallet(name: string) {
  const key = randomBytes(32);
  needles.push(...needlesOf(name, key));
  const wallet = await api.call(routes.createBscWallet, {
    body: { name, privateKeyHex: key.toString('hex') },
  });
  expect(wallet.address).toBe(privateKeyToAccount(`0x${key.toString('hex')}`).address);
  return wallet;
}

async function fund(chain: Chain, address: string) {
  await api.call(routes.faucet, { body: { chain, address, amount: '25' } });
  granted.push({
    chain,
    address,
    nativeUnits: parseUnits('25', NATIVE[chain].decimals) ?? 0n,
    tokens: new Map(),
  });
}

const ranges = { amount_min: 0.01, amount_max: 0.02, range_time_min: 5, range_time_max: 6 };

async function successes(botId: string) {
  const { trades } = await api.call(routes.listTrades, { query: { bot_id: botId, status: 'success' } });
  return trades;
}

test('the main job: from registering to several real swaps on both chains within a minute', async () => {
  api = createApiClient(stack.url, overheard);
  const session = await api.call(routes.register, {
    body: { username: 'operator', password: 'correct horse battery' },
  });
  api.signIn(session.access_token);
  socket = io(stack.url, { auth: { token: session.access_token } });
  const heard = new Set<string>();
  socket.onAny((event: string, payload: unknown) => {
    heard.add(event);
    said.push(Buffer.from(JSON.stringify(payload)));
  });
  await vi.waitUntil(() => socket.connected, 10_000);

  const sandbox = await api.call(routes.getSandbox);
  const solToken = sandbox.solana.tokens.find((token) => token.symbol !== 'WSOL');
  const [bscToken] = sandbox.bsc.tokens;
  if (!solToken || !bscToken) throw new Error('the sandbox has no tokens');
  const sol = await importSolanaWallet('sol', 'base58');
  const other = await importSolanaWallet('sol array', 'array');
  const bnb = await importBscWallet('bnb');
  await fund('solana', sol.public_key);
  await fund('solana', other.public_key);
  await fund('bsc', bnb.address);

  const solBot = await api.call(routes.createBot, {
    body: { name: 'sol buyer', wallet_id: sol.id, action: 'buy', token_address: solToken.address, ...ranges },
  });
  const bscBot = await api.call(routes.createBscBot, {
    body: { name: 'bnb buyer', wallet_id: bnb.id, action: 'buy', token_address: bscToken.address, ...ranges },
  });
  await api.call(routes.startBot, { params: { id: solBot.id } });
  await api.call(routes.updateBscBot, { params: { id: bscBot.id }, body: { is_active: true } });

  await vi.waitUntil(
    async () => (await successes(solBot.id)).length >= 3 && (await successes(bscBot.id)).length >= 3,
    { timeout: 60_000, interval: 500 },
  );

  await api.call(routes.stopBot, { params: { id: solBot.id } });
  await api.call(routes.updateBscBot, { params: { id: bscBot.id }, body: { is_active: false } });
  await vi.waitUntil(
    async () => {
      const { total } = await api.call(routes.listTrades, { query: { status: 'pending' } });
      return total === 0;
    },
    { timeout: 60_000, interval: 300 },
  );

  // Each hash on the chain's own RPC, each amount the balance change there: see audit().
  const result = await audit(
    db,
    { solana: solanaRecord(sandbox.solana.rpcUrl), bsc: bscRecord(sandbox.bsc.rpcUrl) },
    granted,
  );
  expect(result.faults).toEqual([]);
  expect(result.success).toBeGreaterThanOrEqual(6);

  // And each trade's figures from its own transactions alone: `npm run verify`, which finds a single unit too much.
  const verify = promisify(execFile)(process.execPath, ['e2e/verify.ts'], {
    env: { ...process.env, KERVAN_DATA_DIR: dataDir },
  });
  expect((await verify).stdout).toMatch(
    new RegExp(`^${result.trades} trades with \\d+ transactions verified, 0 differences$`, 'm'),
  );
  const movements = {
    solana: solanaMovements(sandbox.solana.rpcUrl),
    bsc: bscMovements(sandbox.bsc.rpcUrl),
  };
  const tampered = db.transaction().execute(async (trx) => {
    for (const { id } of [
      ...(await successes(solBot.id)).slice(0, 1),
      ...(await successes(bscBot.id)).slice(0, 1),
    ])
      await sql`update trades set token_units = token_units + 1 where id = ${id}`.execute(trx);
    const { differences } = await verifyTrades(trx, (chain) => movements[chain]);
    expect(differences).toHaveLength(2);
    expect(differences.join()).toContain('its token amount');
    throw new Error('rolled back');
  });
  await expect(tampered).rejects.toThrow('rolled back');

  const logs = await api.call(routes.botLogs, { params: { id: solBot.id } });
  expect(logs.filter((entry) => entry.level === 'success').length).toBeGreaterThanOrEqual(3);
  expect([...heard]).toEqual(expect.arrayContaining(['bot:status', 'bot:log', 'trade:executed']));
});

test('a volume session of a pasted key trades, and gives back what it has', async () => {
  const key = randomBytes(32);
  needles.push(...needlesOf('pasted master', key));
  const { address } = privateKeyToAccount(`0x${key.toString('hex')}`);
  await fund('bsc', address);
  const heard: string[] = [];
  socket.on('volume:updated', (payload) => {
    heard.push(serverEvents['volume:updated'].parse(payload).state);
  });
  const sandbox = await api.call(routes.getSandbox);
  const { sessionId } = await api.call(routes.startBscVolume, {
    body: {
      masterPrivateKey: `0x${key.toString('hex')}`,
      tokenAddress: sandbox.bsc.tokens[0]?.address ?? '',
      walletCount: 2,
      minBnbAmount: 0.01,
      maxBnbAmount: 0.02,
      tradingIntervalMs: 5_000,
    },
    idempotencyKey: 'volume',
  });
  await vi.waitUntil(async () => (await api.call(routes.bscVolumeStats)).totalTrades >= 2, {
    timeout: 60_000,
    interval: 300,
  });
  await revealSessionKeys();
  await api.call(routes.stopBscVolume);
  const params = { id: sessionId };
  await vi.waitUntil(async () => (await api.call(routes.getBscVolumeSession, { params })).state === 'ended', {
    timeout: 60_000,
    interval: 300,
  });
  const { account, wallets } = await api.call(routes.getBscVolumeSession, { params });
  expect(wallets.map(({ status }) => status)).toEqual(['drained', 'drained']);
  expect(account.left).toBe('0');
  await vi.waitUntil(() => heard.includes('ended'), 10_000);
  expect([...new Set(heard)]).toEqual(['funding', 'trading', 'draining', 'ended']);
});

/** The keys that were made for the session are looked for as well: here, and only here, the vault is opened for them. */
async function revealSessionKeys(): Promise<void> {
  const master = await openMasterKey(db, {
    dataDir,
    environmentKey: null,
    askPassphrase: undefined,
    prefersPassphrase: false,
  });
  const vault = createVault(master);
  const rows = await db.selectFrom('wallets').selectAll().where('is_of_session', '=', true).execute();
  expect(rows).toHaveLength(3);
  for (const { id: walletId, user_id: userId, chain, name, ...row } of rows) {
    const { sealed_key: sealedKey, wrapped_data_key: wrappedDataKey } = row;
    if (!sealedKey || !wrappedDataKey) throw new Error(`the key of ${name} is gone`);
    await vault.withSecret({ userId, walletId, chain }, { sealedKey, wrappedDataKey }, async (secret) => {
      await Promise.resolve(needles.push(...needlesOf(name, secret)));
    });
  }
  vault.lock();
}

test('a pasted key buys and sells, on its own and beside a stored wallet', async () => {
  const sandbox = await api.call(routes.getSandbox);
  const [token] = sandbox.bsc.tokens;
  const wallets = await api.call(routes.listBscWallets);
  const secret = randomBytes(32);
  needles.push(...needlesOf('key of a fast swap', secret));
  const { address } = privateKeyToAccount(`0x${secret.toString('hex')}`);
  await fund('bsc', address);
  const order = {
    tokenAddress: token?.address ?? '',
    privateKeys: [secret.toString('hex')],
    walletIds: wallets.map(({ id }) => id),
  };
  await api.call(routes.previewBscFastSwap, { body: { ...order, mode: 'buy', percent: 10 } });
  for (const mode of ['buy', 'sell'] as const) {
    const result = await api.call(routes.bscFastSwap, { body: { ...order, mode, percent: 50 } });
    expect(result.failed).toEqual([]);
    await vi.waitUntil(
      async () => (await api.call(routes.getFastSwap, { params: { id: result.id } })).signatures.length === 2,
      { timeout: 60_000, interval: 300 },
    );
  }
});

test('no key is found anywhere afterwards: logs, answers, socket, database, files, metrics', async () => {
  const metrics = await overheard(`${stack.url}/metrics`);
  expect(metrics.status).toBe(200);
  // A refused key must not come back in the refusal either.
  const broken = Buffer.concat([randomBytes(31)]);
  needles.push(...needlesOf('refused key', broken));
  for (const text of [
    getBase58Decoder().decode(broken),
    JSON.stringify([...broken]),
    broken.toString('hex'),
  ]) {
    await expect(
      api.call(routes.createWallet, { body: { name: 'broken', private_key: text } }),
    ).rejects.toMatchObject({ status: 400 });
    await expect(
      api.call(routes.createBscWallet, { body: { name: 'broken', privateKeyHex: text } }),
    ).rejects.toMatchObject({ status: 400 });
    const session = { tokenAddress: `0x${'ab'.repeat(20)}`, walletCount: 2, tradingIntervalMs: 5_000 };
    await expect(
      api.call(routes.startBscVolume, {
        body: { ...session, minBnbAmount: 0.01, maxBnbAmount: 0.02, masterPrivateKey: text },
      }),
    ).rejects.toMatchObject({ status: 400 });
    const order = { mode: 'buy', percent: 25, tokenAddress: `0x${'1'.repeat(40)}` } as const;
    for (const pasted of [{ privateKeys: [text] }, { walletIds: [text] }, { tokenAddress: text }])
      for (const route of [routes.bscFastSwap, routes.previewBscFastSwap])
        await expect(api.call(route, { body: { ...order, ...pasted } })).rejects.toMatchObject({
          status: 400,
        });
  }

  await pasteKeysIntoAddresses();

  const everything = Buffer.concat(said);
  // The search itself must be able to find: a wallet's public address was said, of course.
  expect(everything.includes(granted[0]?.address ?? '-')).toBe(true);
  expect(findNeedles(everything, needles)).toEqual([]);

  for (const table of await db.introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(`${table.schema}.${table.name}`)}`.execute(db);
    const dump = JSON.stringify(rows, (_key, value: unknown) => {
      if (typeof value === 'bigint') return value.toString();
      if (isSerializedBuffer(value)) return Buffer.from(value.data).toString('latin1');
      return value;
    });
    expect(findNeedles(Buffer.from(dump, 'latin1'), needles), table.name).toEqual([]);
  }

  const files = await searchFiles(dataDir, needles);
  expect(files.finds).toEqual([]);
  expect(files.bytesRead).toBeGreaterThan(1_000_000);
});

/** Whole keys, where an id, a token or nothing belongs. */
async function pasteKeysIntoAddresses(): Promise<void> {
  const seed = randomBytes(32);
  needles.push(...needlesOf('pasted key', seed));
  const headers = { authorization: `Bearer ${api.token()}` };
  for (const key of [getBase58Decoder().decode(seed), seed.toString('hex'), `0x${seed.toString('hex')}`]) {
    const addresses = [
      `/${key}`,
      `${API_BASE}/${key}`,
      `${API_BASE}/wallets/${key}`,
      `${API_BASE}/wallets/${key}/transactions`,
      `${API_BASE}/bsc/bots/${key}/logs`,
      `${API_BASE}/trades?bot_id=${key}`,
      `${API_BASE}/trades?${key}=1`,
    ];
    for (const address of addresses) {
      const { status } = await overheard(stack.url + address, { headers });
      expect([address, status >= 400 && status < 500]).toEqual([address, true]);
    }
    // An answer about a token names the address that was asked for, so that this one is not held against anybody.
    for (const tokens of ['tokens', 'bsc/tokens']) {
      const { status } = await fetch(`${stack.url}${API_BASE}/${tokens}/${key}`, { headers });
      expect(status).toBe(200);
    }
  }
  const line = '"route":"/api/v1/bsc/tokens/:address"';
  await vi.waitUntil(() => Buffer.concat(said).toString().split(line).length > 3, 10_000);
}

function isSerializedBuffer(value: unknown): value is { data: number[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'Buffer' &&
    'data' in value
  );
}
