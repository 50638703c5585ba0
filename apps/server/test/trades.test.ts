import { beforeAll, describe, expect, test } from 'vitest';
import type { NewTrade } from '@kervan/database';
import { uuidv7 } from '../src/lib/ids.ts';
import { createFakeNetworks } from './fake-networks.ts';
import { codeOf, startTestServer, type TestServer, type TestUser } from './harness.ts';

let server: TestServer;
let user: TestUser;
let walletId: string;
const botId = uuidv7();

beforeAll(async () => {
  server = await startTestServer({ networks: createFakeNetworks(), isWorking: false });
  user = await server.registerUser();
  walletId = (await user.call('createWallet', { body: { name: 'W' } })).data.id;
});

let serial = 0;

function minute(n: number): Date {
  return new Date(Date.UTC(2026, 0, 1, 0, n));
}

async function insertTrade(over: Partial<NewTrade> = {}): Promise<string> {
  serial += 1;
  const id = uuidv7();
  const isOpen = over.state === 'planned' || over.state === 'signed';
  const trade: NewTrade = {
    id,
    user_id: user.id,
    idempotency_key: `trade-${serial}`,
    wallet_id: walletId,
    wallet_name: 'W',
    wallet_address: 'address',
    chain: 'solana',
    network: 'sandbox',
    source: 'bot',
    source_id: botId,
    source_name: 'Bot',
    action: 'buy',
    token_address: 'token',
    token_symbol: 'TOK',
    token_decimals: 6,
    amount_in_units: 1_500_000_000n,
    slippage_bps: 100,
    limit_value_units: 0n,
    state: 'success',
    tx_id: `tx-${serial}`,
    native_units: 1_500_000_000n,
    token_units: 2_000_001n,
    fee_units: 5_000n,
    tip_units: 0n,
    rent_units: -2_039_280n,
    planned_at: minute(serial),
    executed_at: isOpen ? null : minute(serial),
    ended_at: isOpen ? null : minute(serial),
    ...over,
  };
  await server.db.insertInto('trades').values(trade).execute();
  return id;
}

describe('a trade', () => {
  test('shows amounts, fee and rent exactly, in whole units', async () => {
    const id = await insertTrade();
    const { data } = await user.call('getTrade', { params: { id } });
    expect(data).toMatchObject({
      id,
      status: 'success',
      amount_in: '1.5',
      amount_sol: '1.5',
      amount_tokens: '2.000001',
      fee: '0.000005',
      tip: '0',
      rent: '-0.00203928',
      bot_id: botId,
      bot_name: 'Bot',
      session_id: null,
      error: null,
    });
  });

  test('that failed says why, in words', async () => {
    const id = await insertTrade({
      action: 'sell',
      amount_in_units: 7n,
      state: 'failed',
      tx_id: null,
      native_units: null,
      token_units: null,
      error_code: 'SIMULATION_FAILED',
      error_context: JSON.stringify({ reason: 'out of luck' }),
    });
    const { data } = await user.call('getTrade', { params: { id } });
    expect(data).toMatchObject({
      status: 'failed',
      amount_in: '0.000007',
      amount_sol: null,
      error: { code: 'SIMULATION_FAILED', message: 'The trade would fail on the chain: out of luck' },
    });
  });

  test('of another user is not found', async () => {
    const id = await insertTrade();
    const other = await server.registerUser();
    expect(codeOf(await other.call('getTrade', { params: { id } }))).toBe('TRADE_NOT_FOUND');
    expect((await other.call('listTrades')).data).toEqual({ trades: [], total: 0, page: 1, limit: 20 });
  });
});

test('a transfer is no trade: it is not found, listed or counted', async () => {
  const mover = await server.registerUser();
  const id = await insertTrade({
    user_id: mover.id,
    kind: 'transfer',
    recipient: 'recipient',
    action: 'sell',
    token_address: '',
    amount_in_units: 0n,
    source: 'volume',
  });
  expect(codeOf(await mover.call('getTrade', { params: { id } }))).toBe('TRADE_NOT_FOUND');
  const { data } = await mover.call('listTrades', { query: { source: 'volume' } });
  expect(data).toMatchObject({ trades: [], total: 0 });
});

describe('the list of trades', () => {
  let ids: Record<'old' | 'bsc' | 'swap' | 'failed' | 'open', string>;

  beforeAll(async () => {
    await server.db.deleteFrom('trades').execute();
    ids = {
      old: await insertTrade(),
      bsc: await insertTrade({ chain: 'bsc', action: 'sell' }),
      swap: await insertTrade({ source: 'fast-swap', source_id: null, source_name: null }),
      failed: await insertTrade({ state: 'failed' }),
      open: await insertTrade({ state: 'planned', tx_id: null }),
    };
  });

  async function list(query: Record<string, string | number>) {
    const { data, meta } = await user.call('listTrades', { query });
    expect(meta.pagination).toEqual({ total: data.total, page: data.page, limit: data.limit });
    return { total: data.total, ids: data.trades.map((trade) => trade.id) };
  }

  test('comes newest first with open trades on top, or the other way round', async () => {
    const { failed, swap, bsc, old, open } = ids;
    expect((await list({})).ids).toEqual([open, failed, swap, bsc, old]);
    expect((await list({ sort_order: 'asc' })).ids).toEqual([old, bsc, swap, failed, open]);
  });

  test('comes in pages that neither overlap nor leave anything out', async () => {
    const first = await list({ page: 1, limit: 2 });
    const second = await list({ page: 2, limit: 2 });
    const third = await list({ page: 3, limit: 2 });
    expect(new Set([...first.ids, ...second.ids, ...third.ids])).toEqual(new Set(Object.values(ids)));
    expect([first.total, first.ids.length, third.ids.length]).toEqual([5, 2, 1]);
    expect((await list({ page: 9, limit: 2 })).ids).toEqual([]);
  });

  test('is filtered by bot, chain, source, action and status', async () => {
    expect((await list({ bot_id: botId })).total).toBe(4);
    expect((await list({ bot_id: uuidv7() })).total).toBe(0);
    expect((await list({ chain: 'bsc' })).ids).toEqual([ids.bsc]);
    expect((await list({ source: 'fast-swap' })).ids).toEqual([ids.swap]);
    expect((await list({ action: 'sell' })).ids).toEqual([ids.bsc]);
    expect((await list({ status: 'pending' })).ids).toEqual([ids.open]);
    expect((await list({ status: 'failed', chain: 'solana' })).ids).toEqual([ids.failed]);
    expect((await list({ status: 'cancelled' })).total).toBe(0);
  });
});
