import { API_BASE, type EnterpriseLog } from '@kervan/contract';
import type { NewTrade } from '@kervan/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { foldLedger } from '../src/ledger/fold-ledger.ts';
import { createFakeNetworks } from './fake-networks.ts';
import { startTestServer, type TestServer, type TestUser } from './harness.ts';
import { tradeRow } from './trade-row.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const DAY_MS = 86_400_000;
const SOL_PRICE = 150n * 10n ** 18n;

let server: TestServer;
let user: TestUser;
let walletId: string;

beforeAll(async () => {
  server = await startTestServer({ networks: createFakeNetworks(), isWorking: false, clock: () => NOW });
  user = await server.registerUser();
  walletId = (await user.call('createWallet', { body: { name: 'W' } })).data.id;
  await insert([
    // 1.5 SOL for 2.000001 tokens
    { native_price_units: SOL_PRICE, usd_micros: 225_000_000n, executed_at: daysAgo(0.5) },
    { action: 'sell', usd_micros: 30_000_000n, native_price_units: SOL_PRICE, executed_at: daysAgo(3) },
    {
      chain: 'bsc',
      native_units: 25n * 10n ** 16n,
      native_price_units: 600n * 10n ** 18n,
      usd_micros: 150_000_000n,
      executed_at: daysAgo(20),
    },
    { network: 'devnet', executed_at: daysAgo(60) },
    { usd_micros: 1_000_000n, native_price_units: SOL_PRICE, executed_at: daysAgo(200) },
    { state: 'failed', executed_at: daysAgo(1) },
    { state: 'planned', tx_id: null, native_units: null, token_units: null },
  ]);
});

function daysAgo(days: number): Date {
  return new Date(NOW.getTime() - days * DAY_MS);
}

async function insert(trades: Partial<NewTrade>[]): Promise<void> {
  const rows = trades.map((trade) => tradeRow({ user_id: user.id, wallet_id: walletId, ...trade }));
  await server.db.insertInto('trades').values(rows).execute();
}

async function logs(query: Record<string, string | number> = {}) {
  const { data, meta } = await user.call('enterpriseLogs', { query });
  expect(meta.pagination).toEqual({ total: data.total, page: data.page, limit: data.limit });
  return data;
}

async function daysOf(query: Record<string, string | number>): Promise<number[]> {
  const { logs: found, total } = await logs(query);
  expect(total).toBe(found.length);
  return found.map(({ date }) => (NOW.getTime() - Date.parse(date)) / DAY_MS);
}

describe('the enterprise logs', () => {
  test('show successful trades of the last week, fifty a page, the newest first', async () => {
    const { logs: found, limit, page } = await logs();
    expect([page, limit]).toEqual([1, 50]);
    expect(found).toHaveLength(2);
    expect(found[0]).toEqual({
      id: expect.any(String) as string,
      date: daysAgo(0.5).toISOString(),
      type: 'buy',
      chain: 'solana',
      network: 'sandbox',
      usd: '225',
      tokenAmount: '2.000001',
      tokenAddress: 'token',
      tokenSymbol: 'TOK',
      solAmount: '1.5',
      price: '112.499943750028124986',
      maker: 'address',
      txn: expect.stringMatching(/^tx-/) as string,
    } satisfies EnterpriseLog);
  });

  test('are filtered by date range, chain, type and network', async () => {
    expect(await daysOf({ dateRange: '1d' })).toEqual([0.5]);
    expect(await daysOf({ dateRange: '30d' })).toEqual([0.5, 3, 20]);
    expect(await daysOf({ dateRange: '90d' })).toEqual([0.5, 3, 20, 60]);
    expect(await daysOf({ dateRange: 'all' })).toEqual([0.5, 3, 20, 60, 200]);
    expect(await daysOf({ dateRange: 'all', chain: 'bsc' })).toEqual([20]);
    expect(await daysOf({ dateRange: 'all', type: 'sell', chain: 'all' })).toEqual([3]);
    expect(await daysOf({ dateRange: 'all', network: 'devnet' })).toEqual([60]);
  });

  test('are filtered by their worth, bounds included; a trade of unknown worth is within no bound', async () => {
    const all = { dateRange: 'all' };
    expect(await daysOf({ ...all, minUsd: '150' })).toEqual([0.5, 20]);
    expect(await daysOf({ ...all, minUsd: '150.0000001' })).toEqual([0.5]);
    expect(await daysOf({ ...all, maxUsd: '30' })).toEqual([3, 200]);
    expect(await daysOf({ ...all, maxUsd: '29.9999999' })).toEqual([200]);
    expect(await daysOf({ ...all, minUsd: '2', maxUsd: '150' })).toEqual([3, 20]);
    expect(await daysOf({ ...all, minUsd: '9', maxUsd: '1' })).toEqual([]);
    expect(await daysOf({ ...all, minUsd: '', maxUsd: '' })).toHaveLength(5);
    expect(await daysOf({ ...all, maxUsd: '9'.repeat(30) })).toHaveLength(4);
  });

  test('refuse what is no bound, by its name', async () => {
    const { status, error } = await user.call('enterpriseLogs', { query: { minUsd: '1e3' } });
    expect(status).toBe(400);
    expect(error?.context).toMatchObject({ field: 'minUsd' });
  });

  test('of another user are that user’s own', async () => {
    const other = await server.registerUser();
    const { data } = await other.call('enterpriseLogs', { query: { dateRange: 'all' } });
    expect(data).toEqual({ logs: [], total: 0, page: 1, limit: 50 });
  });
});

describe('the file of the enterprise logs', () => {
  async function download(query: string) {
    return await server.app.inject({
      url: `${API_BASE}/enterprise/logs.csv${query}`,
      headers: { authorization: `Bearer ${user.token}` },
    });
  }

  test('has the columns and places of the spec, everything quoted, and its date in its name', async () => {
    const { statusCode, headers, body } = await download('?dateRange=30d');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="enterprise-logs-2026-03-01.csv"');
    const [header, first, , third, end] = body.split('\r\n');
    expect(header).toBe(
      '"Date","Type","Chain","USD","Token Amount","Native Amount","Price","Maker","Transaction"',
    );
    expect(first).toMatch(
      /^"2026-03-01T00:00:00.000Z","buy","SOLANA","225.00","2.000001","1.500000","112.49994375","address","tx-\d+"$/,
    );
    expect(third).toMatch(/"BSC","150.00","2.000001","0.250000","74.99996250",/);
    expect(end).toBe('');
  });

  test('leaves the worth of a trade empty where no price was known', async () => {
    const { body } = await download('?dateRange=90d&network=devnet');
    expect(body.split('\r\n')[1]).toMatch(/"buy","SOLANA","","2.000001","1.500000","","address",/);
  });

  test('has every trade of the filters once, however many portions it is read in', async () => {
    const extra = Array.from({ length: 2300 }, (_, index) => ({
      token_symbol: 'MANY',
      network: 'mainnet' as const,
      tx_id: `many-${index}`,
      executed_at: daysAgo(100 + Math.floor(index / 700)),
    }));
    await insert(extra);
    await foldLedger(server.db, { block: 500, late: 100, minAgeMs: 0 });
    const { body } = await download('?dateRange=all&network=mainnet');
    const lines = body.trimEnd().split('\r\n').slice(1);
    expect(new Set(lines.map((line) => line.split(',').at(-1))).size).toBe(2300);
    expect(lines).toHaveLength(2300);
    expect(lines).toEqual(lines.toSorted((a, b) => b.slice(0, 26).localeCompare(a.slice(0, 26))));
    expect((await logs({ dateRange: 'all', network: 'mainnet' })).total).toBe(2300);
    expect((await logs({ dateRange: 'all', network: 'mainnet', page: 46 })).logs).toHaveLength(50);
  });

  test('is documented as what it is', async () => {
    const { paths } = (await server.app.inject({ url: '/docs/json' })).json<{
      paths: Record<string, { get: { responses: Record<string, { content: object }> } }>;
    }>();
    const answer = paths[`${API_BASE}/enterprise/logs.csv`]?.get.responses['200'];
    expect(answer?.content).toEqual({ 'text/csv': { schema: { type: 'string' } } });
  });

  test('is refused to who is not signed in, and for filters that make no sense', async () => {
    expect((await server.app.inject({ url: `${API_BASE}/enterprise/logs.csv` })).statusCode).toBe(401);
    expect((await download('?dateRange=2d')).statusCode).toBe(400);
    expect((await download('?page=1')).statusCode).toBe(400);
  });
});
