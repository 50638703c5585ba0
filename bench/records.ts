import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { API_BASE, routes } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { sql } from 'kysely';
import { FOLD_SIZES, foldLedger } from '../apps/server/src/ledger/fold-ledger.ts';
import type { Stack } from '../apps/launcher/src/stack.ts';
import { createApiClient, type ApiClient } from '../e2e/lib/api-client.ts';
import { withStack } from './lib/bench-stack.ts';
import { FILLED_BOT_ID, fillRecords } from './lib/fill-records.ts';
import { eventLoopDelayMaxMs, readMetrics } from './lib/metrics.ts';
import type { BenchOptions } from './lib/options.ts';
import { median, percentile } from './lib/percentiles.ts';
import { residentBytes } from './lib/process-usage.ts';
import { atLeast, atMost, megabytes, milliseconds, seconds, type Figure } from './lib/report.ts';
import { withTemporaryFolder } from './lib/temporary-folder.ts';

/** The real server but for its chains, which nothing here asks, and for its ceiling on requests. */
const SERVER = fileURLToPath(new URL('stub-server.ts', import.meta.url));
const TRADES = 1_000_000;
const PAGE_LIMIT_MS = 50;
const STALL_LIMIT_MS = 50;
const CSV_LIMIT_SEC = 20;
const MEMORY_LIMIT_BYTES = 100e6;
const ROUNDS = 3;

const CHAINS = ['all', 'solana', 'bsc'];
const TYPES = ['all', 'buy', 'sell'];
const DATE_RANGES = ['1d', '7d', '30d', '90d', 'all'];
/** None, one side, the other, a narrow band, and next to nothing. */
const BOUNDS = [
  {},
  { minUsd: '50.1234' },
  { maxUsd: '3' },
  { minUsd: '10', maxUsd: '11' },
  { minUsd: '20000' },
];
const PAGES = [1, 1000];
const LINE_END = 10;

/** Trade history and enterprise logs when one user has very many trades. */
export async function records(options: BenchOptions): Promise<Figure[]> {
  const trades = options.trades ?? TRADES;
  return await withTemporaryFolder((folder) =>
    withStack(
      folder,
      options,
      async (stack, db) => {
        const api = createApiClient(stack.url);
        const credentials = { username: 'bench', password: 'bench bench' };
        const session = await api.call(routes.register, { body: credentials });
        api.signIn(session.access_token);
        const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
        await fill(db, userId, trades);
        const claim = `${trades} trades`;
        return [
          ...(await measurePages(stack, api, claim)),
          ...(await measureHistory(stack, api, claim)),
          ...(await measureCsv(stack, api, claim)),
        ];
      },
      { sandbox: false, server: SERVER },
    ),
  );
}

/** Writes the trades and waits until they are folded, as they would be on a machine that has made them. */
async function fill(db: Database, userId: string, trades: number): Promise<void> {
  await fillRecords(db, userId, trades);
  for (;;) {
    await foldLedger(db);
    const tail = db.selectFrom('ledger_tail').select(({ fn }) => fn.countAll<bigint>().as('size'));
    if ((await tail.executeTakeFirstOrThrow()).size < FOLD_SIZES.block) break;
    // The server itself is at it.
    await delay(1000);
  }
  // What autovacuum has done on a machine that has been running for a while.
  await sql`vacuum analyze`.execute(db);
}

async function measurePages(stack: Stack, api: ApiClient, claim: string): Promise<Figure[]> {
  const questions = CHAINS.flatMap((chain) =>
    TYPES.flatMap((type) =>
      DATE_RANGES.flatMap((dateRange) =>
        BOUNDS.flatMap((bounds) => PAGES.map((page) => ({ chain, type, dateRange, page, ...bounds }))),
      ),
    ),
  );
  await readMetrics(stack.url);
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of questions) took.push(await timed(() => api.call(routes.enterpriseLogs, { query })));
  }
  return [
    atMost(
      `${claim}: enterprise page with total, ${questions.length} filters and pages, p99`,
      percentile(took, 0.99),
      PAGE_LIMIT_MS,
      milliseconds,
    ),
    ...ownFigures(claim, 'enterprise page', took),
    await longestStall(stack, `${claim}: enterprise pages`),
  ];
}

async function measureHistory(stack: Stack, api: ApiClient, claim: string): Promise<Figure[]> {
  const questions = [
    {},
    { status: 'success' },
    { status: 'failed', chain: 'bsc' },
    { action: 'sell' },
    { bot_id: FILLED_BOT_ID },
    { bot_id: FILLED_BOT_ID, status: 'failed' },
  ].flatMap((filter) => PAGES.flatMap((page) => [25, 50].map((limit) => ({ ...filter, page, limit }))));
  const took: number[] = [];
  for (let round = 0; round < ROUNDS * 10; round++) {
    for (const query of questions) took.push(await timed(() => api.call(routes.listTrades, { query })));
  }
  return [
    atMost(`${claim}: history page with total, p99`, percentile(took, 0.99), PAGE_LIMIT_MS, milliseconds),
    ...ownFigures(claim, 'history page', took),
  ];
}

function ownFigures(claim: string, what: string, took: readonly number[]): Figure[] {
  const measured = `${milliseconds(median(took))}, ${milliseconds(Math.max(...took))}`;
  return [{ claim: `${claim}: ${what} p50, longest of ${took.length}`, measured }];
}

async function measureCsv(stack: Stack, api: ApiClient, claim: string): Promise<Figure[]> {
  const { total } = await api.call(routes.enterpriseLogs, { query: { dateRange: 'all' } });
  const pid = stack.pids().server ?? NaN;
  const before = residentBytes(pid);
  let most = before;
  let lines = 0;
  let bytes = 0;
  await readMetrics(stack.url);
  const took = await timed(async () => {
    const response = await fetch(`${stack.url}${API_BASE}${routes.enterpriseLogsCsv.path}?dateRange=all`, {
      headers: { authorization: `Bearer ${api.token()}` },
    });
    if (!response.ok || !response.body) throw new Error(`the CSV was answered with ${response.status}`);
    for await (const chunk of response.body) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === LINE_END) lines += 1;
      most = Math.max(most, residentBytes(pid));
    }
  });
  return [
    atMost(`${claim}: CSV of all ${total}, ${megabytes(bytes)}`, took / 1000, CSV_LIMIT_SEC, seconds),
    atLeast(`${claim}: lines of the CSV`, lines, total + 1, String),
    atMost(`${claim}: memory that the CSV adds to the server`, most - before, MEMORY_LIMIT_BYTES, megabytes),
    await longestStall(stack, `${claim}: CSV`),
  ];
}

async function longestStall(stack: Stack, claim: string): Promise<Figure> {
  const stallMs = eventLoopDelayMaxMs(await readMetrics(stack.url));
  return atMost(
    `${claim}, longest event-loop delay (10 ms of it Node's sampling)`,
    stallMs,
    STALL_LIMIT_MS,
    milliseconds,
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
