import { KervanError } from '@kervan/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addUpDays, readResults } from '../src/features/charts/results.ts';
import { createBalanceSamples } from '../src/features/charts/balance-samples.ts';
import { uuidv7 } from '../src/lib/ids.ts';
import { createFakeNetworks, type FakeNetworks } from './fake-networks.ts';
import { codeOf, startTestServer, type TestServer, type TestUser } from './harness.ts';
import { tradeRow } from './trade-row.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 21, 10);

let server: TestServer;
let networks: FakeNetworks;
let now = new Date(START);
let isAway = false;

beforeAll(async () => {
  const fake = createFakeNetworks();
  networks = {
    ...fake,
    verifiedPort: (chain, network) =>
      isAway
        ? Promise.reject(new KervanError('NETWORK_UNREACHABLE', { network }))
        : fake.verifiedPort(chain, network),
  };
  server = await startTestServer({ networks, clock: () => now, isWorking: false });
});
afterAll(() => server.stop());

async function withWallets(
  count: number,
): Promise<{ user: TestUser; addresses: string[]; walletId: string }> {
  now = new Date(START);
  const user = await server.registerUser();
  const addresses: string[] = [];
  let walletId = '';
  for (let index = 0; index < count; index += 1) {
    const { data } = await user.call('createWallet', { body: { name: `W${index}` } });
    addresses.push(data.public_key);
    walletId = data.id;
  }
  return { user, addresses, walletId };
}

/** Signed in anew: access tokens end as the clock goes on. */
async function later(user: TestUser, ms: number): Promise<TestUser['call']> {
  now = new Date(now.getTime() + ms);
  const { username, password } = user;
  const { data } = await server.call('login', { body: { username, password } });
  const headers = { authorization: `Bearer ${data.access_token}` };
  return (name, sent) => server.call(name, { ...sent, headers });
}

describe('balances over time', () => {
  test('are those of all wallets together, sampled when they are looked at', async () => {
    const { user, addresses } = await withWallets(2);
    const [first = '', second = ''] = addresses;
    networks.balances.set(first, 1_500_000_000n).set(second, 250_000_000n);
    // A volume session's wallets are none of the user's.
    const key = { sealed_key: Buffer.from('-'), wrapped_data_key: Buffer.from('-') };
    await server.db
      .insertInto('wallets')
      .values({
        id: uuidv7(),
        user_id: user.id,
        chain: 'solana',
        name: 'S',
        address: 'of a session',
        is_of_session: true,
        ...key,
      })
      .execute();
    networks.balances.set('of a session', 9_000_000_000n);
    const query = { chain: 'solana', range: '1d' };
    expect((await user.call('balanceChart', { query })).data).toEqual({
      network: 'sandbox',
      points: [{ at: '2026-11-21T10:00:00.000Z', balance: '1.75' }],
    });
    networks.balances.set(second, 0n);
    const call = await later(user, 10 * 60_000);
    const { data } = await call('balanceChart', { query });
    expect(data.points.map(({ balance }) => balance)).toEqual(['1.75', '1.5']);
    expect((await call('balanceChart', { query: { chain: 'bsc' } })).data.points).toEqual([]);
  });

  test('of every user are sampled on the networks that each has chosen', async () => {
    const [one, other] = [await withWallets(1), await withWallets(1)];
    networks.balances.set(one.addresses[0] ?? '', 1n).set(other.addresses[0] ?? '', 2n);
    await other.user.call('updateSettings', { body: { solana: { network: 'devnet' } } });
    const samples = createBalanceSamples({ db: server.db, networks, clock: () => now });
    for (let time = 0; time < 2; time += 1) await samples.takeAll(new AbortController().signal);
    const rows = await server.db
      .selectFrom('balance_samples')
      .select(['user_id', 'network', 'native_units'])
      .where('user_id', 'in', [one.user.id, other.user.id])
      .orderBy('native_units')
      .execute();
    expect(rows).toEqual([
      { user_id: one.user.id, network: 'sandbox', native_units: 1n },
      { user_id: other.user.id, network: 'devnet', native_units: 2n },
    ]);
  });

  test('begin with what held at the range’s start, and go on without the node', async () => {
    const { user, addresses } = await withWallets(1);
    networks.balances.set(addresses[0] ?? '', 3_000_000_000n);
    await user.call('balanceChart', { query: { chain: 'solana' } });
    const call = await later(user, 3 * DAY_MS);
    isAway = true;
    const { data } = await call('balanceChart', { query: { chain: 'solana', range: '1d' } });
    isAway = false;
    expect(data.points).toEqual([{ at: new Date(now.getTime() - DAY_MS).toISOString(), balance: '3' }]);
  });

  test('stay few: old samples thin out to one an hour and one a day, and a chart has at most 300', async () => {
    const { user } = await withWallets(0);
    const samples = createBalanceSamples({ db: server.db, networks, clock: () => now });
    const key = { userId: user.id, chain: 'solana', network: 'sandbox' } as const;
    const rows = Array.from({ length: 12 * 24 * 100 }, (_, index) => ({
      user_id: user.id,
      chain: key.chain,
      network: key.network,
      at: new Date(START - index * 5 * 60_000),
      native_units: BigInt(index),
    }));
    while (rows.length > 0)
      await server.db.insertInto('balance_samples').values(rows.splice(0, 5_000)).execute();
    expect(await samples.read(key, new Date(0), 300)).toHaveLength(300);
    await samples.thinOut();
    const { count } = await server.db
      .selectFrom('balance_samples')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    const [week, hourly, daily] = [7 * 24 * 12, 83 * 24, 10];
    expect(Number(count)).toBeGreaterThan(week + hourly);
    expect(Number(count)).toBeLessThan(week + hourly + daily + 10);
    const newest = (await samples.read(key, new Date(0), 300)).at(-1);
    expect(newest).toEqual({ at: new Date(START), native_units: 0n });
  });
});

describe('results by day', () => {
  test('are sales less purchases, fees and tips, with their running total', async () => {
    const { user, walletId } = await withWallets(1);
    const of = (day: number, more: object) => {
      const at = new Date(START - day * DAY_MS);
      return tradeRow({
        user_id: user.id,
        wallet_id: walletId,
        planned_at: at,
        executed_at: at,
        ended_at: at,
        ...more,
      });
    };
    const trades = [
      of(2, { action: 'buy', native_units: 2_000_000_000n, fee_units: 5_000n, idempotency_key: 'a' }),
      of(2, {
        action: 'sell',
        native_units: 1_000_000_000n,
        fee_units: 5_000n,
        tip_units: 1_000n,
        idempotency_key: 'b',
      }),
      of(1, {
        state: 'failed',
        native_units: null,
        token_units: null,
        fee_units: 5_000n,
        idempotency_key: 'c',
      }),
      of(0, { action: 'sell', native_units: 4_000_000_000n, fee_units: 0n, idempotency_key: 'd' }),
      of(0, { network: 'devnet', idempotency_key: 'e' }),
      // Moves coins between one's own wallets: only what it cost is a result.
      of(0, {
        kind: 'transfer',
        recipient: 'another',
        action: 'sell',
        native_units: 9_000_000_000n,
        fee_units: 5_000n,
        idempotency_key: 'f',
      }),
    ];
    await server.db.insertInto('trades').values(trades).execute();
    const { data } = await user.call('resultChart', { query: { chain: 'solana', range: '30d' } });
    expect(data.points).toEqual([
      { date: '2026-11-19', net: '-1.000011', total: '-1.000011', trades: 2 },
      { date: '2026-11-20', net: '-0.000005', total: '-1.000016', trades: 0 },
      { date: '2026-11-21', net: '3.999995', total: '2.999979', trades: 1 },
    ]);
    const today = await user.call('resultChart', { query: { chain: 'solana', range: '1d' } });
    expect(today.data.points.at(-1)).toMatchObject({ date: '2026-11-21', net: '3.999995' });
  });

  test('equal adding all trades up, however late they end and however often they are read', async () => {
    const step = fc.record({
      daysAgo: fc.integer({ min: 0, max: 6 }),
      action: fc.constantFrom('buy' as const, 'sell' as const),
      native: fc.bigInt({ min: 1n, max: 10n ** 20n }),
      isOpen: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { user, walletId } = await withWallets(1);
        const key = { userId: user.id, chain: 'solana', network: 'sandbox' } as const;
        const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
        const expected = new Map<string, bigint>();
        const open: { id: string; at: Date; native: bigint }[] = [];
        for (const { daysAgo, action, native, isOpen } of steps) {
          const at = new Date(midnight - daysAgo * DAY_MS + 1_000);
          const end = isOpen ? { state: 'planned' as const, tx_id: null } : { executed_at: at, ended_at: at };
          const row = tradeRow({
            user_id: user.id,
            wallet_id: walletId,
            idempotency_key: uuidv7(),
            action,
            native_units: native,
            fee_units: 1n,
            planned_at: at,
            ...end,
          });
          await server.db.insertInto('trades').values(row).execute();
          if (isOpen) open.push({ id: row.id, at, native: action === 'sell' ? native : -native });
          else add(expected, at, (action === 'sell' ? native : -native) - 1n);
        }
        for (const { id, at, native } of open) {
          await readResults(server.db, key, new Date(0));
          await server.db
            .updateTable('trades')
            .set({ state: 'success', tx_id: id, executed_at: at, ended_at: new Date() })
            .where('id', '=', id)
            .execute();
          add(expected, at, native - 1n);
        }
        await addUpDays(server.db, new AbortController().signal);
        for (let reading = 0; reading < 2; reading += 1) {
          const days = await readResults(server.db, key, new Date(0));
          expect(new Map(days.map(({ date, netUnits }) => [date, netUnits]))).toEqual(expected);
        }
      }),
      { numRuns: 15 },
    );
  });
});

function add(sums: Map<string, bigint>, at: Date, units: bigint): void {
  const date = at.toISOString().slice(0, 10);
  sums.set(date, (sums.get(date) ?? 0n) + units);
}

describe('a bot’s price chart', () => {
  test('has the prices of its landed trades, the oldest first', async () => {
    const { user, walletId } = await withWallets(1);
    const { data: bot } = await user.call('createBot', {
      body: {
        name: 'B',
        wallet_id: walletId,
        action: 'buy',
        amount_min: 1,
        amount_max: 2,
        range_time_min: 60,
        range_time_max: 90,
        token_address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      },
    });
    const of = (minute: number, more: object) => {
      const at = new Date(START + minute * 60_000);
      return tradeRow({
        user_id: user.id,
        wallet_id: walletId,
        source_id: bot.id,
        planned_at: at,
        executed_at: at,
        ended_at: at,
        ...more,
      });
    };
    const trades = [
      of(1, { native_units: 1_000_000_000n, token_units: 4_000_000n, idempotency_key: 'a', tx_id: 'first' }),
      of(2, {
        action: 'sell',
        native_units: 3_000_000_000n,
        token_units: 9_000_000n,
        idempotency_key: 'b',
        tx_id: 'second',
      }),
      of(3, { state: 'failed', native_units: null, token_units: null, idempotency_key: 'c' }),
    ];
    await server.db.insertInto('trades').values(trades).execute();
    const { data } = await user.call('botChart', { params: { id: bot.id } });
    expect(data).toMatchObject({ token_symbol: 'TEST' });
    expect(
      data.points.map(({ action, price, transaction_hash }) => [action, price, transaction_hash]),
    ).toEqual([
      ['buy', '0.25', 'first'],
      ['sell', '0.333333333333333333', 'second'],
    ]);
    const newest = await user.call('botChart', { params: { id: bot.id }, query: { limit: 1 } });
    expect(newest.data.points.map((point) => point.transaction_hash)).toEqual(['second']);
    const stranger = await server.registerUser();
    expect(codeOf(await stranger.call('botChart', { params: { id: bot.id } }))).toBe('BOT_NOT_FOUND');
  });
});

test('a network without a market has no price', async () => {
  const { user } = await withWallets(0);
  const { data } = await user.call('getPrices');
  expect(data).toEqual({
    solana: { network: 'sandbox', price: null, at: null },
    bsc: { network: 'sandbox', price: null, at: null },
  });
});
