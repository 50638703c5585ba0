import { beforeAll, describe, expect, test } from 'vitest';
import type { NewTrade } from '@kervan/database';
import { uuidv7 } from '../src/lib/ids.ts';
import { createFakeNetworks } from './fake-networks.ts';
import { codeOf, startTestServer, type TestServer, type TestUser } from './harness.ts';
import { tradeRow } from './trade-row.ts';

let server: TestServer;
let user: TestUser;
let walletId: string;
const botId = uuidv7();

beforeAll(async () => {
  server = await startTestServer({ networks: createFakeNetworks(), isWorking: false });
  user = await server.registerUser();
  walletId = (await user.call('createWallet', { body: { name: 'W' } })).data.id;
});

async function insertTrade(over: Partial<NewTrade> = {}): Promise<string> {
  const row = tradeRow({ user_id: user.id, wallet_id: walletId, source_id: botId, ...over });
  await server.db.insertInto('trades').values(row).execute();
  return row.id;
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

  test('that landed tells its worth and price by the price of its time; without one it tells none', async () => {
    const worth = { native_price_units: 150_500_000_000_000_000_000n, usd_micros: 225_750_000n };
    const valued = await user.call('getTrade', { params: { id: await insertTrade(worth) } });
    expect(valued.data).toMatchObject({
      usd: '225.75',
      price: '112.874943562528218736',
      native_price: '150.5',
    });
    const unknown = await user.call('getTrade', { params: { id: await insertTrade() } });
    expect(unknown.data).toMatchObject({ usd: null, price: null, native_price: null });
  });

  test('shows its life and what was signed for it, and never the bytes', async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 1, 1, 0, 0, second));
    const id = await insertTrade({
      chain: 'bsc',
      dex_version: 'v3',
      action: 'sell',
      tx_id: '0xswap',
      planned_at: at(0),
      simulated_at: at(1),
      signed_at: at(2),
      sent_at: at(3),
      executed_at: at(4),
      ended_at: at(5),
    });
    const attempt = { trade_id: id, bytes: Buffer.from('a transaction'), gas_price_units: 1_100_000_000n };
    const attempts = [
      {
        purpose: 'approval',
        tx_id: '0xapproval',
        nonce: 7n,
        state: 'landed',
        fee_units: 10n ** 14n,
        height: 90n,
      },
      { purpose: 'swap', tx_id: '0xstuck', nonce: 8n, state: 'dead' },
      {
        purpose: 'swap',
        tx_id: '0xswap',
        nonce: 8n,
        state: 'landed',
        fee_units: 2n * 10n ** 14n,
        height: 91n,
      },
    ] as const;
    await server.db
      .insertInto('trade_attempts')
      .values(attempts.map((each, index) => ({ id: uuidv7(), number: index + 1, ...attempt, ...each })))
      .execute();
    const { data, response } = await user.call('getTrade', { params: { id } });
    expect(data.life).toEqual({
      planned_at: at(0).toISOString(),
      simulated_at: at(1).toISOString(),
      signed_at: at(2).toISOString(),
      sent_at: at(3).toISOString(),
      landed_at: at(4).toISOString(),
      ended_at: at(5).toISOString(),
    });
    expect(data.attempts).toMatchObject([
      { number: 1, purpose: 'approval', state: 'landed', nonce: '7', fee: '0.0001', height: '90' },
      { number: 2, purpose: 'swap', state: 'dead', transaction_hash: '0xstuck', fee: null, height: null },
      { number: 3, purpose: 'swap', state: 'landed', gas_price_gwei: '1.1', last_valid_block_height: null },
    ]);
    expect(response.body).not.toContain('bytes');
  });

  test('that never landed has not landed in its life either', async () => {
    const id = await insertTrade({ state: 'failed', tx_id: null, native_units: null, token_units: null });
    const { data } = await user.call('getTrade', { params: { id } });
    expect(data.life.landed_at).toBeNull();
    expect(data.attempts).toEqual([]);
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
    await server.db.deleteFrom('trade_attempts').execute();
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
    const ascending = [1, 2, 3].map((page) => list({ page, limit: 2, sort_order: 'asc' }));
    const { old, bsc, swap, failed, open } = ids;
    expect((await Promise.all(ascending)).flatMap((page) => page.ids)).toEqual([
      old,
      bsc,
      swap,
      failed,
      open,
    ]);
  });

  test('is filtered by bot, chain, network, source, action and status', async () => {
    expect((await list({ bot_id: botId })).total).toBe(4);
    expect((await list({ bot_id: uuidv7() })).total).toBe(0);
    expect((await list({ chain: 'bsc' })).ids).toEqual([ids.bsc]);
    expect((await list({ source: 'fast-swap' })).ids).toEqual([ids.swap]);
    expect((await list({ action: 'sell' })).ids).toEqual([ids.bsc]);
    expect((await list({ status: 'pending' })).ids).toEqual([ids.open]);
    expect((await list({ network: 'mainnet' })).total).toBe(0);
    expect((await list({ status: 'failed', chain: 'solana' })).ids).toEqual([ids.failed]);
    expect((await list({ status: 'cancelled' })).total).toBe(0);
  });
});
