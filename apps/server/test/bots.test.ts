import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BodySentTo, routes } from '@kervan/contract';
import { createFakeNetworks, TOKENS } from './fake-networks.ts';
import { codeOf, startTestServer, type TestServer, type TestUser } from './harness.ts';

type SolanaBody = BodySentTo<typeof routes.createBot>;
type BscBody = BodySentTo<typeof routes.createBscBot>;

let server: TestServer;
let user: TestUser;
let solanaWallet: string;
let bscWallet: string;

beforeAll(async () => {
  server = await startTestServer({ networks: createFakeNetworks() });
});
beforeEach(async () => {
  user = await server.registerUser();
  solanaWallet = (await user.call('createWallet', { body: { name: 'S' } })).data.id;
  bscWallet = (await user.call('createBscWallet', { body: { name: 'B' } })).data.id;
});

function solanaBody(over: Partial<SolanaBody> = {}): SolanaBody {
  return {
    name: 'Bot',
    wallet_id: solanaWallet,
    action: 'buy',
    amount_min: 1,
    amount_max: 2,
    range_time_min: 120,
    range_time_max: 180,
    token_address: TOKENS.solana,
    ...over,
  };
}

function bscBody(over: Partial<BscBody> = {}): BscBody {
  return {
    name: 'Bot',
    wallet_id: bscWallet,
    action: 'buy',
    amount_min: 0.01,
    amount_max: 0.02,
    range_time_min: 120,
    range_time_max: 180,
    ...over,
  };
}

async function createSolanaBot(over: Partial<SolanaBody> = {}) {
  return (await user.call('createBot', { body: solanaBody(over) })).data;
}

async function createBscBot(over: Partial<BscBody> = {}) {
  return (await user.call('createBscBot', { body: bscBody(over) })).data;
}

describe('creating a bot', () => {
  test('answers it as stored, not running, on the network chosen in the settings', async () => {
    const bot = await createSolanaBot({ name: ' Morning ' });
    expect(bot).toMatchObject({
      ...solanaBody({ name: 'Morning' }),
      network: 'sandbox',
      token_symbol: 'TEST',
      is_active: false,
      last_run: null,
      nextRunAt: null,
      intervalSec: null,
      execution_count: 0,
    });
    expect((await user.call('listBots')).data).toEqual([bot]);
    expect((await user.call('getBot', { params: { id: bot.id } })).data).toEqual(bot);
    expect((await user.call('listBscBots')).data).toEqual([]);
  });

  test('on BSC needs no token yet, and has the defaults of the specification', async () => {
    const bot = await createBscBot();
    expect(bot).toMatchObject({ token_address: null, slippage_percent: 1, pancakeswap_version: 'v2' });
    const full = await createBscBot({
      token_address: TOKENS.bsc.toLowerCase(),
      slippage_percent: 0.3,
      pancakeswap_version: 'v3',
    });
    expect(full).toMatchObject({
      token_address: TOKENS.bsc,
      slippage_percent: 0.3,
      pancakeswap_version: 'v3',
    });
    expect((await user.call('listBscBots')).data).toEqual([bot, full]);
  });

  test('keeps the network it was made for when the settings change', async () => {
    const bot = await createSolanaBot();
    await user.call('updateSettings', { body: { solana: { network: 'devnet' } } });
    expect((await user.call('getBot', { params: { id: bot.id } })).data.network).toBe('sandbox');
    expect((await createSolanaBot()).network).toBe('devnet');
  });

  test.each([
    [{ name: ' ' }, 'BOT_NAME_REQUIRED', 'Please enter a bot name'],
    [
      { amount_min: 2, amount_max: 2 },
      'AMOUNT_RANGE_INVALID',
      'Minimum amount must be less than maximum amount',
    ],
    [
      { range_time_min: 60, range_time_max: 30 },
      'INTERVAL_RANGE_INVALID',
      'Minimum interval must be less than maximum interval',
    ],
    [
      { token_address: '11111111111111111111111111111111' },
      'TOKEN_ADDRESS_INVALID',
      'Please enter a valid token address',
    ],
  ])('is refused in the words of the specification: %j', async (over, code, message) => {
    const answer = await user.call('createBot', { body: solanaBody(over) });
    expect(answer.status).toBe(400);
    expect(answer.error).toMatchObject({ code, message });
  });

  const refusal = { code: 'TOKEN_ADDRESS_INVALID', message: 'Please enter a valid token address' };

  test.each([null, '', 'nonsense', 7, `0x${'ab'.repeat(20)}`])(
    'and editing one is refused for the Solana token %j',
    async (token) => {
      const over = { token_address: token as never };
      expect((await user.call('createBot', { body: solanaBody(over) })).error).toMatchObject(refusal);
      const params = { id: (await createSolanaBot()).id };
      expect((await user.call('updateBot', { params, body: over })).error).toMatchObject(refusal);
    },
  );

  test('on Solana is refused without a token', async () => {
    const { token_address: _token, ...body } = solanaBody();
    expect((await user.call('createBot', { body: body as SolanaBody })).error).toMatchObject(refusal);
  });

  test.each(['', 'nonsense', 7, '0x12', TOKENS.solana])(
    'and editing one is refused for the BSC token %j',
    async (token) => {
      const over = { token_address: token as never };
      expect((await user.call('createBscBot', { body: bscBody(over) })).error).toMatchObject(refusal);
      const params = { id: (await createBscBot()).id };
      expect((await user.call('updateBscBot', { params, body: over })).error).toMatchObject(refusal);
    },
  );

  test('that sells may begin its range at nothing, one that buys may not', async () => {
    const bot = await createSolanaBot({ action: 'sell', amount_min: 0, amount_max: 0.000001 });
    expect(bot).toMatchObject({ amount_min: 0, amount_max: 0.000001 });
    await createBscBot({ action: 'sell', amount_min: 0 });
    for (const amount_min of [0, -0])
      expect(codeOf(await user.call('createBot', { body: solanaBody({ amount_min }) }))).toBe(
        'AMOUNT_NOT_POSITIVE',
      );
    expect(codeOf(await user.call('createBscBot', { body: bscBody({ amount_min: 0 }) }))).toBe(
      'AMOUNT_NOT_POSITIVE',
    );
    const turned = await user.call('updateBot', { params: { id: bot.id }, body: { action: 'buy' } });
    expect(turned.error).toMatchObject({ code: 'AMOUNT_NOT_POSITIVE', context: { field: 'amount_min' } });
    const negative = solanaBody({ action: 'sell', amount_min: -1 });
    expect(codeOf(await user.call('createBot', { body: negative }))).toBe('VALIDATION_FAILED');
  });

  test.each([
    { amount_min: 1e-10, amount_max: 1 },
    { action: 'sell' as const, amount_min: 1, amount_max: 2.1234567 },
  ])('refuses amounts finer than what they count: %j', async (over) => {
    expect(codeOf(await user.call('createBot', { body: solanaBody(over) }))).toBe('AMOUNT_TOO_PRECISE');
  });

  test("refuses a wallet that is deleted, of the other chain or another user's", async () => {
    const other = await server.registerUser();
    const theirs = (await other.call('createWallet', { body: { name: 'T' } })).data.id;
    const deleted = (await user.call('createWallet', { body: { name: 'D' } })).data.id;
    await user.call('deleteWallet', { params: { id: deleted } });
    for (const wallet_id of [theirs, deleted, bscWallet, '018f4a3e-0000-7000-8000-000000000000']) {
      const answer = await user.call('createBot', { body: solanaBody({ wallet_id }) });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'WALLET_NOT_FOUND']);
    }
  });
});

describe('editing a bot', () => {
  test('changes what is sent, holds it against what is stored, and writes it into the console', async () => {
    const bot = await createSolanaBot();
    const params = { id: bot.id };
    const edited = await user.call('updateBot', { params, body: { name: 'New', amount_max: 5 } });
    expect(edited.data).toEqual({ ...bot, name: 'New', amount_max: 5 });
    expect(codeOf(await user.call('updateBot', { params, body: { amount_min: 5 } }))).toBe(
      'AMOUNT_RANGE_INVALID',
    );
    expect(codeOf(await user.call('updateBot', { params, body: { range_time_max: 100 } }))).toBe(
      'INTERVAL_RANGE_INVALID',
    );
    expect(codeOf(await user.call('updateBot', { params, body: { wallet_id: bscWallet } }))).toBe(
      'WALLET_NOT_FOUND',
    );
    await user.call('updateBot', { params, body: { name: 'New' } });
    const { data: logs } = await user.call('botLogs', { params });
    expect(logs.map((line) => line.message)).toEqual(['Bot settings changed: name, amount_max.']);
  });

  test('resolves a new token', async () => {
    const bot = await createBscBot();
    const params = { id: bot.id };
    const bad = `0x${'1'.repeat(40)}`;
    expect(codeOf(await user.call('updateBscBot', { params, body: { token_address: bad } }))).toBe(
      'TOKEN_ADDRESS_INVALID',
    );
    const edited = await user.call('updateBscBot', { params, body: { token_address: TOKENS.bsc } });
    expect(edited.data).toMatchObject({ token_address: TOKENS.bsc, token_symbol: 'TEST' });
    const cleared = await user.call('updateBscBot', { params, body: { token_address: null } });
    expect(cleared.data).toMatchObject({ token_address: null, token_symbol: null });
  });

  test('of a running bot draws its next run anew when that lies beyond the new range', async () => {
    const bot = await createSolanaBot({ range_time_min: 3000, range_time_max: 3600 });
    const params = { id: bot.id };
    const { data: started } = await user.call('startBot', { params });
    const { data: unchanged } = await user.call('updateBot', { params, body: { range_time_min: 2000 } });
    expect(unchanged.nextRunAt).toBe(started.nextRunAt);

    const before = Date.now();
    const body = { range_time_min: 30, range_time_max: 60 };
    const { data: redrawn } = await user.call('updateBot', { params, body });
    expect(redrawn.is_active).toBe(true);
    expect(redrawn.nextRunAt).toBeGreaterThanOrEqual(before + 30_000);
    expect(redrawn.nextRunAt).toBeLessThanOrEqual(Date.now() + 60_000);
  });
});

describe('starting and stopping', () => {
  test('queues the first run within the bounds, once however often it is asked', async () => {
    const bot = await createSolanaBot();
    const params = { id: bot.id };
    const before = Date.now();
    const { data: started } = await user.call('startBot', { params });
    expect(started.is_active).toBe(true);
    expect(started.intervalSec).toBeGreaterThanOrEqual(120);
    expect(started.intervalSec).toBeLessThanOrEqual(180);
    expect(started.nextRunAt).toBeGreaterThanOrEqual(before + 120_000);
    expect((await user.call('startBot', { params })).data).toEqual(started);

    const { data: stopped } = await user.call('stopBot', { params });
    expect(stopped).toMatchObject({ is_active: false, nextRunAt: null, intervalSec: null });
    expect((await user.call('stopBot', { params })).data).toEqual(stopped);
    const { data: logs } = await user.call('botLogs', { params });
    expect(logs.map((line) => line.message)).toEqual([
      'Bot stopped.',
      expect.stringMatching(/^Bot started. First run in 1\d\d s.$/),
    ]);
  });

  test('works on BSC by is_active, and needs a token there', async () => {
    const bot = await createBscBot();
    const params = { id: bot.id };
    expect(codeOf(await user.call('updateBscBot', { params, body: { is_active: true } }))).toBe(
      'BOT_TOKEN_REQUIRED',
    );
    const body = { is_active: true, token_address: TOKENS.bsc };
    const { data: started } = await user.call('updateBscBot', { params, body });
    expect(started.is_active).toBe(true);
    expect(started.nextRunAt).not.toBeNull();
    expect(codeOf(await user.call('updateBscBot', { params, body: { token_address: null } }))).toBe(
      'BOT_TOKEN_REQUIRED',
    );
    const { data: stopped } = await user.call('updateBscBot', { params, body: { is_active: false } });
    expect(stopped).toMatchObject({ is_active: false, nextRunAt: null });
  });
});

describe('a list', () => {
  test('of bots comes whole, or in pages by age', async () => {
    for (const list of ['listBots', 'listBscBots'] as const) {
      const create = list === 'listBots' ? createSolanaBot : createBscBot;
      const made = [await create(), await create(), await create()];
      const whole = await user.call(list);
      expect(whole.data).toEqual(made);
      expect(whole.meta.pagination).toEqual({ total: 3, page: 1, limit: 1000 });
      const second = await user.call(list, { query: { page: 2, limit: 2 } });
      expect(second.data).toEqual(made.slice(2));
      expect(second.meta.pagination).toEqual({ total: 3, page: 2, limit: 2 });
    }
  });

  test('of log lines comes in pages, newest first', async () => {
    const bot = await createSolanaBot();
    const params = { id: bot.id };
    for (const name of ['A', 'B', 'C']) await user.call('updateBot', { params, body: { name } });
    const whole = await user.call('botLogs', { params });
    expect(whole.data).toHaveLength(3);
    expect(whole.meta.pagination).toEqual({ total: 3, page: 1, limit: 200 });
    const second = await user.call('botLogs', { params, query: { page: 2, limit: 2 } });
    expect(second.data).toEqual(whole.data.slice(2));
    expect(second.meta.pagination).toEqual({ total: 3, page: 2, limit: 2 });
    const bsc = await user.call('bscBotLogs', { params: { id: (await createBscBot()).id } });
    expect(bsc.meta.pagination).toEqual({ total: 0, page: 1, limit: 200 });
  });
});

test('deleting a bot removes it from sight; its trades keep its name', async () => {
  const bot = await createSolanaBot({ name: 'Remembered' });
  const params = { id: bot.id };
  await user.call('startBot', { params });
  const { data: planned } = await user.call('executeBot', { params });
  await user.call('deleteBot', { params });
  expect(codeOf(await user.call('getBot', { params }))).toBe('BOT_NOT_FOUND');
  expect(codeOf(await user.call('botLogs', { params }))).toBe('BOT_NOT_FOUND');
  expect((await user.call('listBots')).data).toEqual([]);
  const { data: trade } = await user.call('getTrade', { params: { id: planned.tradeId } });
  expect(trade).toMatchObject({ bot_id: bot.id, bot_name: 'Remembered', wallet_name: 'S' });
});

test('executing a bot answers the trade at once, the same one for the same Idempotency-Key', async () => {
  const bot = await createSolanaBot();
  const params = { id: bot.id };
  const headers = { 'idempotency-key': 'once' };
  const [first, second] = await Promise.all([
    user.call('executeBot', { params, headers }),
    user.call('executeBot', { params, headers }),
  ]);
  expect(second.data).toEqual(first.data);
  await vi.waitFor(async () => {
    const { data: trade } = await user.call('getTrade', { params: { id: first.data.tradeId } });
    expect(trade).toMatchObject({ status: 'success', source: 'bot', action: 'buy', error: null });
  });
  const { data: list } = await user.call('listTrades', { query: { bot_id: bot.id } });
  expect(list.total).toBe(1);
  expect((await user.call('getBot', { params })).data).toMatchObject({
    execution_count: 1,
    is_active: false,
  });
});

test("another user's bot, and one of the other chain, are not found", async () => {
  const solana = await createSolanaBot();
  const bsc = await createBscBot();
  const other = await server.registerUser();
  const solanaRoutes = ['getBot', 'deleteBot', 'startBot', 'stopBot', 'executeBot', 'botLogs'] as const;
  const bscRoutes = ['getBscBot', 'deleteBscBot', 'executeBscBot', 'bscBotLogs'] as const;
  const expectMissing = async (caller: TestUser, route: Parameters<TestUser['call']>[0], id: string) => {
    const answer = await caller.call(route, { params: { id } });
    expect([route, answer.status, codeOf(answer)]).toEqual([route, 404, 'BOT_NOT_FOUND']);
  };
  for (const route of solanaRoutes) {
    await expectMissing(other, route, solana.id);
    await expectMissing(user, route, bsc.id);
  }
  for (const route of bscRoutes) {
    await expectMissing(other, route, bsc.id);
    await expectMissing(user, route, solana.id);
  }
  const stolen = await other.call('updateBot', { params: { id: solana.id }, body: { name: 'Mine' } });
  expect(codeOf(stolen)).toBe('BOT_NOT_FOUND');
  expect((await other.call('listBots')).data).toEqual([]);
});
