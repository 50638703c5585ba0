import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { TradeRow } from '@kervan/database';
import { uuidv7 } from '../src/lib/ids.ts';
import { foldLedger, type FoldSizes } from '../src/ledger/fold-ledger.ts';
import type { LedgerFilter } from '../src/ledger/ledger-filter.ts';
import { atOneMoment, readPage, type PageOrder } from '../src/ledger/read-page.ts';
import { createFakeNetworks } from './fake-networks.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { tradeRow } from './trade-row.ts';

const SIZES: FoldSizes = { block: 25, late: 10, minAgeMs: 0 };
/** Trades lie within so many seconds: many of them share one, as they do in a block of a chain. */
const SPAN_SEC = 120;
const EPOCH = Date.UTC(2026, 0, 1);

const second = fc.integer({ min: 0, max: SPAN_SEC });
const micros = fc.integer({ min: 0, max: 40 }).map(BigInt);

const kind = {
  chain: fc.constantFrom('solana' as const, 'bsc' as const),
  network: fc.constantFrom('sandbox' as const, 'mainnet' as const),
  source: fc.constantFrom('bot' as const, 'fast-swap' as const),
  action: fc.constantFrom('buy' as const, 'sell' as const),
  state: fc.constantFrom('success' as const, 'failed' as const, 'cancelled' as const),
};
const drawnTrade = fc.record({ ...kind, at: second, usd_micros: fc.option(micros, { nil: null }) });
type DrawnTrade = ReturnType<typeof drawnTrade.generate>['value'];

const drawnQuestion = fc.record({
  filter: fc.record(
    {
      ...kind,
      since: second.map((sec) => new Date(EPOCH + sec * 1000)),
      minMicros: micros,
      maxMicros: micros,
    },
    { requiredKeys: [] },
  ),
  order: fc.record<PageOrder>({
    offset: fc.integer({ min: 0, max: 150 }),
    limit: fc.integer({ min: 1, max: 40 }),
    direction: fc.constantFrom('asc', 'desc'),
  }),
});

let server: TestServer;
let userId: string;
let walletId: string;

beforeEach(async () => {
  server = await startTestServer({ networks: createFakeNetworks(), isWorking: false });
  const user = await server.registerUser();
  userId = user.id;
  walletId = (await user.call('createWallet', { body: { name: 'W' } })).data.id;
  return () => server.stop();
});

async function add(drawn: readonly DrawnTrade[]): Promise<void> {
  if (drawn.length === 0) return;
  const rows = drawn.map(({ at: sec, ...trade }) => {
    const at = new Date(EPOCH + sec * 1000);
    return tradeRow({ ...trade, user_id: userId, wallet_id: walletId, executed_at: at, ended_at: at });
  });
  await server.db.insertInto('trades').values(rows).execute();
}

/** The answer by looking at every trade. */
function byHand(trades: readonly TradeRow[], filter: Omit<LedgerFilter, 'userId'>, order: PageOrder) {
  const { since, minMicros, maxMicros, ...wanted } = filter;
  const time = (trade: TradeRow) => trade.executed_at?.getTime() ?? 0;
  const matching = trades
    .filter((trade) =>
      Object.entries(wanted).every(([name, value]) => trade[name as keyof TradeRow] === value),
    )
    .filter((trade) => since === undefined || time(trade) >= since.getTime())
    .filter(({ usd_micros: usd }) => minMicros === undefined || (usd !== null && usd >= minMicros))
    .filter(({ usd_micros: usd }) => maxMicros === undefined || (usd !== null && usd <= maxMicros))
    .toSorted((a, b) => time(a) - time(b) || (a.id < b.id ? -1 : 1));
  const ordered = order.direction === 'asc' ? matching : matching.toReversed();
  const ids = ordered.slice(order.offset, order.offset + order.limit).map(({ id }) => id);
  return { total: matching.length, ids };
}

/** What the ledger answers, beside what looking at every trade answers. */
async function answer(questions: readonly ReturnType<typeof drawnQuestion.generate>['value'][]) {
  const trades = await server.db.selectFrom('trades').selectAll().where('user_id', '=', userId).execute();
  const read: ReturnType<typeof byHand>[] = [];
  for (const { filter, order } of questions) {
    const page = await atOneMoment(server.db, (trx) => readPage(trx, { ...filter, userId }, order));
    read.push({ total: page.total, ids: page.trades.map(({ id }) => id) });
  }
  return { read, expected: questions.map(({ filter, order }) => byHand(trades, filter, order)) };
}

const portions = fc.array(fc.array(drawnTrade, { maxLength: 80 }), { minLength: 1, maxLength: 4 });
const questions = fc.array(drawnQuestion, { minLength: 10, maxLength: 10 });

test('counts and pages are those of looking at every trade, before and after folding, with trades that come late', async () => {
  await fc.assert(
    fc.asyncProperty(portions, questions, async (parts, asked) => {
      await server.db.deleteFrom('ledger_blocks').execute();
      await server.db.deleteFrom('trades').execute();
      for (const part of parts) {
        // Their times are drawn alike, so those of a later portion come late for the blocks of an earlier one.
        await add(part);
        const before = await answer(asked);
        expect(before.read).toEqual(before.expected);
        await foldLedger(server.db, SIZES);
        const after = await answer(asked);
        expect(after.read).toEqual(after.expected);
      }
    }),
    { numRuns: 25 },
  );
});

test('two processes that fold at once fold every trade once', async () => {
  await add(fc.sample(drawnTrade, { numRuns: 400, seed: 1 }));
  await Promise.all([foldLedger(server.db, SIZES), foldLedger(server.db, SIZES)]);
  await foldLedger(server.db, SIZES);
  const { blocks } = await server.db
    .selectFrom('ledger_blocks')
    .select(({ fn }) => fn.countAll<bigint>().as('blocks'))
    .executeTakeFirstOrThrow();
  expect(blocks).toBe(16n);
  const { read, expected } = await answer(fc.sample(drawnQuestion, { numRuns: 20, seed: 2 }));
  expect(read).toEqual(expected);
});

test('a trade enters the ledger in the transaction that ends it, and never twice', async () => {
  const row = tradeRow({ user_id: userId, wallet_id: walletId, state: 'planned', tx_id: null, id: uuidv7() });
  await server.db.insertInto('trades').values(row).execute();
  const inTail = () =>
    server.db.selectFrom('ledger_tail').select(['trade_id', 'state', 'usd_micros']).execute();
  expect(await inTail()).toEqual([]);
  const ended = { state: 'failed', ended_at: new Date(), executed_at: new Date() } as const;
  await expect(
    server.db.transaction().execute(async (trx) => {
      await trx.updateTable('trades').set(ended).where('id', '=', row.id).execute();
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await inTail()).toEqual([]);
  await server.db.updateTable('trades').set(ended).where('id', '=', row.id).execute();
  await server.db.updateTable('trades').set({ sent_at: new Date() }).where('id', '=', row.id).execute();
  expect(await inTail()).toEqual([{ trade_id: row.id, state: 'failed', usd_micros: null }]);
});
