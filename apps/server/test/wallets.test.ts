import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { KervanError, type RouteName } from '@kervan/contract';
import { NO_LIMITS } from '@kervan/domain';
import { createFakeNetworks, TOKENS, type FakeNetworks } from './fake-networks.ts';
import { codeOf, startTestServer, type TestServer, type TestUser } from './harness.ts';

let server: TestServer;
let networks: FakeNetworks;
let user: TestUser;

beforeAll(async () => {
  networks = createFakeNetworks();
  server = await startTestServer({ networks, isWorking: false });
});
beforeEach(async () => {
  user = await server.registerUser();
});

/** A Solana key as wallets hand it out: 32 bytes of seed and 32 of public key. */
function solanaKey(): { bytes: number[]; publicKey: Uint8Array } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const publicKey = createPublicKey(createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })))
    .export({ format: 'der', type: 'spki' })
    .subarray(-32);
  return { bytes: [...seed, ...publicKey], publicKey };
}

const BSC_KEY = '4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d';
const BSC_ADDRESS = '0x90F8bf6A479f320ead074411a4B0e7944Ea8c9C1';

describe('a Solana wallet', () => {
  test('is imported from a byte array, listed and read back', async () => {
    const { bytes } = solanaKey();
    const created = await user.call('createWallet', {
      body: { name: '  Main ', private_key: JSON.stringify(bytes) },
    });
    expect(created.data.name).toBe('Main');
    expect(created.data.public_key).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect((await user.call('listWallets')).data).toEqual([created.data]);
    expect((await user.call('getWallet', { params: { id: created.data.id } })).data).toEqual(created.data);
  });

  test('is generated when the key is left out, a new one each time', async () => {
    const first = await user.call('createWallet', { body: { name: 'One' } });
    const second = await user.call('createWallet', { body: { name: 'Two' } });
    expect(first.data.public_key).not.toBe(second.data.public_key);
  });

  test.each([
    [{ name: '   ', private_key: 'x' }, 'WALLET_NAME_REQUIRED', 'Please enter a wallet name'],
    [{ name: 'A', private_key: '  ' }, 'PRIVATE_KEY_REQUIRED', 'Please enter a private key'],
    [
      { name: 'A', private_key: 'not a key' },
      'PRIVATE_KEY_INVALID',
      'Invalid private key format. Please use base58 string or array format.',
    ],
    [
      { name: 'A', private_key: '[1,2,3]' },
      'PRIVATE_KEY_INVALID',
      'Invalid private key format. Please use base58 string or array format.',
    ],
  ])('is refused in the words of the specification: %j', async (body, code, message) => {
    const answer = await user.call('createWallet', { body });
    expect(answer.status).toBe(400);
    expect(answer.error).toMatchObject({ code, message });
  });

  test.each([7, null, [1, 2, 3], {}])('is refused for the key %j, which is no text', async (key) => {
    const body = { name: 'A', private_key: key as never };
    expect(codeOf(await user.call('createWallet', { body }))).toBe('PRIVATE_KEY_INVALID');
    const bsc = { name: 'A', privateKeyHex: key as never };
    expect(codeOf(await user.call('createBscWallet', { body: bsc }))).toBe('PRIVATE_KEY_HEX_INVALID');
  });

  test('shows its balance in SOL, exactly', async () => {
    const { data } = await user.call('createWallet', { body: { name: 'One' } });
    networks.balances.set(data.public_key, 1_234_567_891n);
    const balances = await user.call('walletBalances');
    expect(balances.data).toEqual({ [data.public_key]: { sol: '1.234567891' } });
    const tokens = await user.call('walletTokenBalances', { query: { tokenAddress: TOKENS.solana } });
    expect(tokens.data).toEqual({ [data.public_key]: '1234.567891' });
  });
});

describe('a BSC wallet', () => {
  test.each([BSC_KEY, `0x${BSC_KEY}`, ` ${BSC_KEY.toUpperCase()} `])('is imported from %j', async (key) => {
    const { data } = await user.call('createBscWallet', { body: { name: 'B', privateKeyHex: key } });
    expect(data.address).toBe(BSC_ADDRESS);
    expect((await user.call('listBscWallets')).data).toEqual([data]);
    expect((await user.call('listWallets')).data).toEqual([]);
  });

  test.each(['0x12', `${BSC_KEY}0`, '0'.repeat(64), 'f'.repeat(64)])(
    'is refused for the key %j',
    async (key) => {
      const answer = await user.call('createBscWallet', { body: { name: 'B', privateKeyHex: key } });
      expect(answer.status).toBe(400);
      expect(codeOf(answer)).toBe('PRIVATE_KEY_HEX_INVALID');
    },
  );

  test('shows balances by lower-case address', async () => {
    networks.balances.set(BSC_ADDRESS, 1_500_000_000_000_000_001n);
    const other = `0x${'0'.repeat(39)}1`;
    const native = await user.call('bscBalances', { query: { addresses: `${BSC_ADDRESS}, ${other}` } });
    expect(native.data).toEqual({ [BSC_ADDRESS.toLowerCase()]: '1.500000000000000001', [other]: '0' });
    const tokens = await user.call('bscTokenBalances', {
      body: { addresses: [BSC_ADDRESS], tokenAddress: TOKENS.bsc.toLowerCase() },
    });
    expect(tokens.data).toEqual({ [BSC_ADDRESS.toLowerCase()]: '1500000000000.000001' });
    const missing = await user.call('bscTokenBalances', {
      body: { addresses: [BSC_ADDRESS], tokenAddress: other },
    });
    expect(codeOf(missing)).toBe('TOKEN_NOT_FOUND');
  });
});

test('a token’s balance is asked of the chosen network, or of the one that is named', async () => {
  const ask = vi.spyOn(networks, 'verifiedPort');
  await user.call('updateSettings', { body: { bsc: { network: 'testnet' } } });
  ask.mockClear();
  for (const named of [{}, { network: 'mainnet' }] as const) {
    await user.call('walletTokenBalances', { query: { tokenAddress: TOKENS.solana, ...named } });
    await user.call('bscTokenBalances', {
      body: { addresses: [BSC_ADDRESS], tokenAddress: TOKENS.bsc, ...named },
    });
  }
  expect(ask.mock.calls.map(([chain, network]) => [chain, network])).toEqual([
    ['solana', 'sandbox'],
    ['bsc', 'testnet'],
    ['solana', 'mainnet'],
    ['bsc', 'mainnet'],
  ]);
  ask.mockRestore();
});

describe('the list of wallets', () => {
  const lists = [
    ['createWallet', 'listWallets'],
    ['createBscWallet', 'listBscWallets'],
  ] as const;

  test.each(lists)('that %s makes comes whole, or in pages by age', async (create, list) => {
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.push((await user.call(create, { body: { name } })).data.id);
    const idsOf = async (query: { page?: number; limit?: number }) => {
      const { data, meta } = await user.call(list, { query });
      return { ids: data.map(({ id }) => id), pagination: meta.pagination };
    };
    expect(await idsOf({})).toEqual({ ids, pagination: { total: 3, page: 1, limit: 1000 } });
    expect(await idsOf({ limit: 2 })).toEqual({
      ids: ids.slice(0, 2),
      pagination: { total: 3, page: 1, limit: 2 },
    });
    expect(await idsOf({ page: 2, limit: 2 })).toEqual({
      ids: ids.slice(2),
      pagination: { total: 3, page: 2, limit: 2 },
    });
    expect((await idsOf({ page: 3, limit: 2 })).ids).toEqual([]);
    expect(codeOf(await user.call(list, { query: { limit: 1001 } }))).toBe('VALIDATION_FAILED');
  });
});

describe('a stored key', () => {
  test('is refused a second time, and free again after its wallet is deleted', async () => {
    const body = { name: 'First', privateKeyHex: BSC_KEY };
    const { data } = await user.call('createBscWallet', { body });
    const again = await user.call('createBscWallet', { body: { ...body, name: 'Second' } });
    expect(again.status).toBe(409);
    expect(again.error).toMatchObject({ code: 'WALLET_EXISTS', context: { name: 'First' } });

    await user.call('deleteBscWallet', { params: { id: data.id } });
    expect((await user.call('createBscWallet', { body })).status).toBe(200);
  });

  test('may be stored by another user as well', async () => {
    const other = await server.registerUser();
    const body = { name: 'Same key', privateKeyHex: BSC_KEY };
    expect((await user.call('createBscWallet', { body })).status).toBe(200);
    expect((await other.call('createBscWallet', { body })).status).toBe(200);
  });

  test('is in no answer and no log line, and the database does not hold it in clear', async () => {
    const answer = await user.call('createBscWallet', { body: { name: 'B', privateKeyHex: BSC_KEY } });
    expect(answer.response.body.toLowerCase()).not.toContain(BSC_KEY);
    expect(server.logged().toLowerCase()).not.toContain(BSC_KEY);
    const row = await server.db
      .selectFrom('wallets')
      .selectAll()
      .where('id', '=', answer.data.id)
      .executeTakeFirstOrThrow();
    const secret = Buffer.from(BSC_KEY, 'hex');
    expect(row.sealed_key?.includes(secret)).toBe(false);
    expect(row.wrapped_data_key?.includes(secret)).toBe(false);
  });

  test('is gone from the database once its wallet is deleted', async () => {
    const { data } = await user.call('createWallet', { body: { name: 'Short-lived' } });
    await user.call('deleteWallet', { params: { id: data.id } });
    const row = await server.db
      .selectFrom('wallets')
      .select(['name', 'sealed_key', 'wrapped_data_key'])
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ name: 'Short-lived', sealed_key: null, wrapped_data_key: null });
  });
});

test("another user's wallet, another chain's and an unknown one are all not found", async () => {
  const { data: solana } = await user.call('createWallet', { body: { name: 'S' } });
  const { data: bsc } = await user.call('createBscWallet', { body: { name: 'B' } });
  const other = await server.registerUser();
  const unknown = '018f4a3e-0000-7000-8000-000000000000';
  const calls: [TestUser, RouteName, string][] = [
    [other, 'getWallet', solana.id],
    [other, 'deleteWallet', solana.id],
    [other, 'deleteBscWallet', bsc.id],
    [user, 'getWallet', bsc.id],
    [user, 'deleteWallet', bsc.id],
    [user, 'deleteBscWallet', solana.id],
    [user, 'deleteWallet', unknown],
  ];
  for (const [caller, route, id] of calls) {
    const answer = await caller.call(route, { params: { id } });
    expect([route, answer.status, codeOf(answer)]).toEqual([route, 404, 'WALLET_NOT_FOUND']);
  }
  expect((await other.call('listWallets')).data).toEqual([]);
  expect((await user.call('listWallets')).data).toHaveLength(1);
});

describe('deleting a wallet', () => {
  function botOn(walletId: string) {
    return {
      name: 'Bot',
      wallet_id: walletId,
      action: 'buy' as const,
      amount_min: 0.01,
      amount_max: 0.02,
      range_time_min: 30,
      range_time_max: 60,
      token_address: TOKENS.solana,
    };
  }

  test('is refused while a bot or an open trade uses it, and tells how many', async () => {
    const { data: wallet } = await user.call('createWallet', { body: { name: 'Used' } });
    const { data: bot } = await user.call('createBot', { body: botOn(wallet.id) });
    const first = await user.call('deleteWallet', { params: { id: wallet.id } });
    expect(first.status).toBe(409);
    expect(first.error).toMatchObject({ code: 'WALLET_IN_USE', context: { bots: 1, trades: 0 } });

    await planTrade(wallet);
    await user.call('deleteBot', { params: { id: bot.id } });
    const second = await user.call('deleteWallet', { params: { id: wallet.id } });
    expect(second.error).toMatchObject({ code: 'WALLET_IN_USE', context: { bots: 0, trades: 1 } });
    expect((await user.call('listWallets')).data).toEqual([wallet]);
  });

  test('and creating a bot or a trade on it at the same moment: one of the two wins', async () => {
    for (let round = 0; round < 10; round++) {
      const { data: wallet } = await user.call('createWallet', { body: { name: `Round ${round}` } });
      const use =
        round % 2 === 0
          ? user.call('createBot', { body: botOn(wallet.id) }).then((answer) => answer.status === 200)
          : planTrade(wallet).then(
              () => true,
              (error: unknown) => {
                if (!(error instanceof KervanError)) throw error;
                return false;
              },
            );
      const [deletion, isUsed] = await Promise.all([
        user.call('deleteWallet', { params: { id: wallet.id } }),
        use,
      ]);
      expect(isUsed).toBe(deletion.status === 409);
    }
  });

  async function planTrade(wallet: { id: string; name: string; public_key: string }) {
    await server.db.transaction().execute((trx) =>
      server.services.executor.plan(trx, {
        idempotencyKey: wallet.id,
        userId: user.id,
        wallet: { id: wallet.id, name: wallet.name, address: wallet.public_key },
        chain: 'solana',
        network: 'sandbox',
        source: 'fast-swap',
        sourceId: null,
        sourceName: null,
        action: 'buy',
        token: { address: TOKENS.solana, symbol: 'TEST', decimals: 6 },
        amountInUnits: 1n,
        slippageBps: 100,
        dexVersion: null,
        gas: null,
        limits: NO_LIMITS,
        limitValueUnits: 1n,
      }),
    );
  }
});
