import { randomBytes } from 'node:crypto';
import { KervanError, type Chain } from '@kervan/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeNetworks, TOKENS, type FakeNetworks } from './fake-networks.ts';
import { codeOf, startTestServer, type TestServer, type TestUser } from './harness.ts';

// What is refused, hidden and kept apart, on chains in memory where nothing moves: whole sessions are in
// volume-sandbox.test.ts, crashes in volume-crash.test.ts.

const MAINNET = { solana: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', bsc: '56' };

let networks: FakeNetworks;
let server: TestServer;
let user: TestUser;

beforeEach(async () => {
  networks = createFakeNetworks();
  server = await startTestServer({ networks, isWorking: false });
  user = await server.registerUser();
});

async function addMaster(owner: TestUser, sol = 5n) {
  const { data } = await owner.call('createWallet', { body: { name: 'Master' } });
  networks.balances.set(data.public_key, sol * 10n ** 9n);
  return data;
}

const solanaConfig = {
  tokenAddress: TOKENS.solana,
  walletCount: 4,
  minSolAmount: 0.1,
  maxSolAmount: 0.2,
  tradingIntervalMs: 5_000,
};
const bscConfig = {
  tokenAddress: TOKENS.bsc,
  walletCount: 2,
  minBnbAmount: 0.01,
  maxBnbAmount: 0.02,
  tradingIntervalMs: 5_000,
};

async function start(owner = user, key?: string) {
  const master = await addMaster(owner);
  const body = { ...solanaConfig, masterWalletId: master.id };
  const answer = await owner.call('startVolume', {
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
  return { master, answer, body };
}

/** Session wallets in the database, and so sealed keys that somebody would have to account for. */
async function wallets() {
  return await server.db.selectFrom('wallets').selectAll().where('is_of_session', '=', true).execute();
}

describe('on a live network', () => {
  test('the start is refused by the network’s name, before anything is asked or made', async () => {
    await user.call('updateSettings', {
      body: { solana: { network: 'mainnet' }, bsc: { network: 'mainnet' } },
    });
    networks.verifiedPort = () => Promise.reject(new Error('must not be asked'));
    const { answer } = await start();
    const bsc = await user.call('startBscVolume', {
      body: { ...bscConfig, masterPrivateKey: randomBytes(32).toString('hex') },
    });
    for (const refused of [answer, bsc])
      expect([refused.status, codeOf(refused)]).toEqual([403, 'VOLUME_LIVE_NETWORK']);
    expect(await wallets()).toEqual([]);
  });

  test.each(['solana', 'bsc'] as const)(
    'a %s node that proves to be one is refused, whatever it is called here',
    async (chain) => {
      networks.chains[chain].claim(MAINNET[chain]);
      const refused = await startOn(chain);
      expect([refused.status, codeOf(refused)]).toEqual([403, 'VOLUME_LIVE_NETWORK']);
      expect(await wallets()).toEqual([]);
    },
  );

  test.each(['solana', 'bsc'] as const)(
    'so is a %s node that was found to serve another network than it should',
    async (chain) => {
      networks.verifiedPort = () =>
        Promise.reject(new KervanError('NETWORK_MISMATCH', { expected: 'sandbox', actual: MAINNET[chain] }));
      expect(codeOf(await startOn(chain))).toBe('VOLUME_LIVE_NETWORK');
      expect(await wallets()).toEqual([]);
    },
  );

  async function startOn(chain: Chain) {
    if (chain === 'solana') return (await start()).answer;
    const { data: master } = await user.call('createBscWallet', { body: { name: 'Master' } });
    networks.balances.set(master.address, 10n ** 18n);
    return await user.call('startBscVolume', { body: { ...bscConfig, masterWalletId: master.id } });
  }
});

describe('a start', () => {
  test('makes sealed wallets, in bounds, that are none of the user’s', async () => {
    const { master, answer } = await start();
    expect(answer.status).toBe(200);
    const made = await wallets();
    expect(made).toHaveLength(4);
    for (const wallet of made) expect(wallet.sealed_key).not.toBeNull();
    const planned = await server.db.selectFrom('volume_wallets').selectAll().execute();
    for (const { funding_units } of planned) {
      expect(funding_units).toBeGreaterThanOrEqual(100_000_000n);
      expect(funding_units).toBeLessThanOrEqual(200_000_000n);
    }

    const { data: seen } = await user.call('listWallets');
    expect(seen.map(({ id }) => id)).toEqual([master.id]);
    const { id, address } = made[0] ?? { id: '', address: '' };
    expect(codeOf(await user.call('getWallet', { params: { id } }))).toBe('WALLET_NOT_FOUND');
    expect(codeOf(await user.call('deleteWallet', { params: { id } }))).toBe('WALLET_NOT_FOUND');
    const { data: balances } = await user.call('walletBalances');
    expect(Object.keys(balances)).not.toContain(address);
    const bot = await user.call('createBot', {
      body: {
        name: 'Bot',
        wallet_id: id,
        action: 'buy',
        amount_min: 1,
        amount_max: 2,
        range_time_min: 5,
        range_time_max: 6,
        token_address: TOKENS.solana,
      },
    });
    expect(codeOf(bot)).toBe('WALLET_NOT_FOUND');
  });

  test('with the same Idempotency-Key is the same session, and with another body is refused', async () => {
    const { answer, body } = await start(user, 'once');
    const headers = { 'idempotency-key': 'once' };
    const again = await user.call('startVolume', { body, headers });
    expect(again.data).toEqual(answer.data);
    const other = await user.call('startVolume', { body: { ...body, walletCount: 5 }, headers });
    expect(codeOf(other)).toBe('IDEMPOTENCY_KEY_REUSED');
    // The answer was lost before it was stored.
    await server.db.deleteFrom('idempotent_requests').execute();
    expect((await user.call('startVolume', { body, headers })).data).toEqual(answer.data);
    expect(await wallets()).toHaveLength(4);
  });

  test('twice at once starts one session', async () => {
    const master = await addMaster(user);
    const body = { ...solanaConfig, masterWalletId: master.id };
    const answers = await Promise.all([1, 2, 3].map(() => user.call('startVolume', { body })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(codeOf(answers.find(({ status }) => status === 409) ?? { error: undefined })).toBe(
      'VOLUME_ALREADY_RUNNING',
    );
    expect(await wallets()).toHaveLength(4);
  });

  test('needs a master that can pay for it', async () => {
    const { data: poor } = await user.call('createWallet', { body: { name: 'Poor' } });
    networks.balances.set(poor.public_key, 400_000_000n);
    const refused = await user.call('startVolume', {
      body: { ...solanaConfig, masterWalletId: poor.id },
    });
    expect(codeOf(refused)).toBe('VOLUME_MASTER_SHORT');
    expect(refused.error?.context).toMatchObject({ available: '0.4', count: 4, symbol: 'SOL' });
    expect(await wallets()).toEqual([]);
  });

  test('never plans to give more than the master has', async () => {
    const { data: tight } = await user.call('createWallet', { body: { name: 'Tight' } });
    networks.balances.set(tight.public_key, 402_000_000n);
    await user.call('startVolume', { body: { ...solanaConfig, masterWalletId: tight.id } });
    const planned = await server.db.selectFrom('volume_wallets').select('funding_units').execute();
    const sum = planned.reduce((total, { funding_units }) => total + funding_units, 0n);
    expect(sum).toBeLessThanOrEqual(402_000_000n - 4n * 5_000n - 890_880n);
  });

  test.each([
    ['somebody else’s wallet', 'WALLET_NOT_FOUND'],
    ['an unknown token', 'TOKEN_NOT_FOUND'],
    ['a minimum that is no minimum', 'AMOUNT_RANGE_INVALID'],
    ['trading halted', 'TRADING_HALTED'],
  ])('is refused with %s', async (what, code) => {
    const stranger = await server.registerUser();
    const master = await addMaster(what.startsWith('somebody') ? stranger : user);
    if (what === 'trading halted') await user.call('setHalt', { body: { halted: true } });
    const refused = await user.call('startVolume', {
      body: {
        ...solanaConfig,
        masterWalletId: master.id,
        ...(what === 'an unknown token' && { tokenAddress: 'So11111111111111111111111111111111111111112' }),
        ...(what === 'a minimum that is no minimum' && { minSolAmount: 0.2 }),
      },
    });
    expect(codeOf(refused)).toBe(code);
    expect(await wallets()).toEqual([]);
  });

  test.each([
    ['no master', {}, 'VOLUME_MASTER_REQUIRED'],
    [
      'two masters',
      { masterWalletId: '0196f1f0-0000-7000-8000-000000000000', masterPrivateKey: '1'.repeat(64) },
      'VOLUME_MASTER_REQUIRED',
    ],
    ['a key that is none', { masterPrivateKey: '0'.repeat(64) }, 'PRIVATE_KEY_HEX_INVALID'],
  ])('on BSC is refused with %s', async (_, master, code) => {
    const refused = await user.call('startBscVolume', { body: { ...bscConfig, ...master } });
    expect([refused.status, codeOf(refused)]).toEqual([400, code]);
    expect(await wallets()).toEqual([]);
  });
});

describe('a session', () => {
  test('keeps its master from being deleted until it has ended', async () => {
    const { master } = await start();
    const deletion = () => user.call('deleteWallet', { params: { id: master.id } });
    expect(codeOf(await deletion())).toBe('WALLET_FUNDS_VOLUME');
    await user.call('stopVolume');
    expect(codeOf(await deletion())).toBe('WALLET_FUNDS_VOLUME');
    await end();
    expect((await deletion()).status).toBe(200);
  });

  test('is nobody else’s to see, stop or drain', async () => {
    const { answer } = await start();
    const { sessionId } = answer.data;
    const stranger = await server.registerUser();
    const params = { id: sessionId };
    expect((await stranger.call('volumeStats')).data).toMatchObject({ isRunning: false, sessionId: null });
    expect((await stranger.call('volumeWallets')).data).toEqual([]);
    expect((await stranger.call('listVolumeSessions')).data).toEqual([]);
    expect(codeOf(await stranger.call('stopVolume'))).toBe('VOLUME_NOT_RUNNING');
    expect(codeOf(await stranger.call('getVolumeSession', { params }))).toBe('VOLUME_SESSION_NOT_FOUND');
    expect(codeOf(await stranger.call('drainVolumeSession', { params }))).toBe('VOLUME_SESSION_NOT_FOUND');
    // Nor is it the other chain's.
    expect(codeOf(await user.call('getBscVolumeSession', { params }))).toBe('VOLUME_SESSION_NOT_FOUND');
    expect((await user.call('volumeStats')).data).toMatchObject({ isRunning: true, sessionId });
  });

  test('is drained once it is stopped, and no other begins before', async () => {
    const { answer, body } = await start();
    await user.call('stopVolume');
    expect((await user.call('stopVolume')).data).toEqual(answer.data);
    const { data: stats } = await user.call('volumeStats');
    expect(stats).toMatchObject({ isRunning: false, state: 'draining', activeWallets: 4 });
    expect(codeOf(await user.call('startVolume', { body }))).toBe('VOLUME_ALREADY_RUNNING');
    await end();
    const next = await user.call('startVolume', { body });
    expect(next.status).toBe(200);
    const { data: sessions, meta } = await user.call('listVolumeSessions');
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([next.data.sessionId, answer.data.sessionId]);
    expect(meta.pagination?.total).toBe(2);
  });

  test('that has ended is drained again when asked, though not while another runs', async () => {
    const { answer, body } = await start();
    const params = { id: answer.data.sessionId };
    expect(codeOf(await user.call('drainVolumeSession', { params }))).toBe('VOLUME_ALREADY_RUNNING');
    await user.call('stopVolume');
    await end();
    await user.call('startVolume', { body });
    expect(codeOf(await user.call('drainVolumeSession', { params }))).toBe('VOLUME_ALREADY_RUNNING');
    await user.call('stopVolume');
    await end();
    expect((await user.call('drainVolumeSession', { params })).status).toBe(200);
    const { data } = await user.call('getVolumeSession', { params });
    expect(data).toMatchObject({ state: 'draining', endTime: null });
  });

  test('whose master was deleted sends nothing there any more', async () => {
    const { answer, master } = await start();
    await user.call('stopVolume');
    await end();
    await user.call('deleteWallet', { params: { id: master.id } });
    const params = { id: answer.data.sessionId };
    expect(codeOf(await user.call('drainVolumeSession', { params }))).toBe('VOLUME_MASTER_GONE');
  });

  test('says why it stopped in the caller’s language', async () => {
    const { answer } = await start();
    await server.db
      .updateTable('volume_sessions')
      .set({
        stop_code: 'VOLUME_TURNS_FAILED',
        stop_context: JSON.stringify({ count: 5, cause: 'SLIPPAGE_EXCEEDED' }),
      })
      .execute();
    const call = (language: string) =>
      user.call('getVolumeSession', {
        params: { id: answer.data.sessionId },
        headers: { 'accept-language': language },
      });
    expect((await call('en')).data.stopReason?.message).toBe(
      '5 trades in a row could not be made; the last one: The price moved by more than the slippage allows.',
    );
    expect((await call('tr')).data.stopReason?.message).toBe(
      'Art arda 5 işlem yapılamadı; sonuncusu: Fiyat, izin verilen kaymadan fazla değişti.',
    );
  });
});

/** As if the session had been drained. */
async function end() {
  await server.db
    .updateTable('volume_sessions')
    .set({ state: 'ended', ended_at: new Date() })
    .where('state', '<>', 'ended')
    .execute();
}
