import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chain } from '@kervan/contract';
import {
  connect,
  migrate,
  startEmbeddedPostgres,
  type Database,
  type EmbeddedPostgres,
  type TradeRow,
} from '@kervan/database';
import { NO_LIMITS, type TradeKind } from '@kervan/domain';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Checkpoint } from '../src/engine/drive-context.ts';
import { createExecutor, type Executor, type ExecutorDeps } from '../src/engine/executor.ts';
import { setHalted } from '../src/engine/halt.ts';
import type { SwapIntent, TradeIntent } from '../src/engine/intent.ts';
import { uuidv7 } from '../src/lib/ids.ts';
import { createFakeChain, type SendFate } from './fake-chain.ts';

// Executors on a real database and chains in memory, for the test file that imports this. What is exported with `let`
// is new for each test.

const logger = pino({ level: 'silent' });
// Short, so that a takeover takes no time; what is tested is the order of things, not their pace.
const FAST = {
  leaseMs: 300,
  heartbeatMs: 25,
  rebroadcastMs: 25,
  retryMs: 10,
  replaceAfterMs: 60_000,
  cancelAfterMs: 120_000,
};

let dataDir: string;
let postgres: EmbeddedPostgres;
export let db: Database;
export let userId: string;
export let chains: Record<Chain, ReturnType<typeof createFakeChain>>;
export let running: Executor[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kervan-executor-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  db = connect(postgres.url, { max: 20 });
  await migrate(db);
});

afterAll(async () => {
  await db.destroy();
  await postgres.stop();
  await rm(dataDir, { recursive: true });
});

beforeEach(async () => {
  chains = { solana: createFakeChain('solana'), bsc: createFakeChain('bsc') };
  running = [];
  userId = uuidv7();
  await db
    .insertInto('users')
    .values({ id: userId, username: userId, username_key: userId, password_hash: '-' })
    .execute();
});

afterEach(async () => {
  await Promise.all(running.map((executor) => executor.stop()));
  await setHalted(db, false);
});

export function makeExecutor(over: Partial<ExecutorDeps> = {}): Executor {
  const executor = createExecutor({
    db,
    port: (chain) => chains[chain].port,
    readKey: () => Promise.resolve({ use: (sign) => sign(new Uint8Array(32)) }),
    listeners: {},
    logger,
    ...over,
    timing: { ...FAST, ...over.timing },
  });
  running.push(executor);
  return executor;
}

export async function makeWallet(chain: Chain, address = `address-${randomBytes(6).toString('hex')}`) {
  const id = uuidv7();
  await db
    .insertInto('wallets')
    .values({
      id,
      user_id: userId,
      chain,
      name: 'Test',
      address,
      sealed_key: Buffer.from('-'),
      wrapped_data_key: Buffer.from('-'),
    })
    .execute();
  return { id, name: 'Test', address };
}

export async function makeIntent(chain: Chain, over: Partial<SwapIntent> = {}): Promise<SwapIntent> {
  return {
    idempotencyKey: uuidv7(),
    userId,
    wallet: over.wallet ?? (await makeWallet(chain)),
    chain,
    network: 'sandbox',
    source: 'bot',
    sourceId: null,
    sourceName: null,
    action: 'buy',
    token: { address: 'token', symbol: 'TEST', decimals: 6 },
    amountInUnits: 1_000n,
    slippageBps: 100,
    dexVersion: chain === 'bsc' ? 'v2' : null,
    gas: null,
    limits: NO_LIMITS,
    limitValueUnits: 1_000n,
    ...over,
  };
}

export const plan = (executor: Executor, intent: TradeIntent) =>
  db.transaction().execute((trx) => executor.plan(trx, intent));

export async function trade(executor: Executor, intent: TradeIntent) {
  const planned = await plan(executor, intent);
  return await executor.drive(planned.tradeId, planned.trade);
}

export const attemptsOf = (tradeId: string) =>
  db.selectFrom('trade_attempts').selectAll().where('trade_id', '=', tradeId).orderBy('number').execute();

export const lanesOf = (tradeId: string) =>
  db.selectFrom('nonce_lanes').selectAll().where('trade_id', '=', tradeId).execute();

export const tradeRow = (tradeId: string) =>
  db.selectFrom('trades').selectAll().where('id', '=', tradeId).executeTakeFirstOrThrow();

const CHECKPOINTS: readonly Checkpoint[] = [
  'prepared',
  'signed',
  'attempt committed',
  'broadcast',
  'outcome known',
  'trade ended',
];
const FATES: readonly SendFate[] = ['land', 'lose answer', 'drop', 'revert'];

/** One test for each place where a process may stop and each fate of its send: another process finishes it, once. */
export function testTakeOvers(chain: Chain, kind: TradeKind, makeWish: () => Promise<TradeIntent>): void {
  for (const checkpoint of CHECKPOINTS) {
    for (const fate of FATES) {
      // A send that never arrives gives the first process no outcome to stop at.
      if (fate === 'drop' && (checkpoint === 'outcome known' || checkpoint === 'trade ended')) continue;
      test(`stopped at "${checkpoint}" when the send would ${fate}: another process finishes it, once`, async () => {
        chains[chain].script(fate, 'land');
        const row = await takeOver(await makeWish(), checkpoint);

        const landed = chains[chain].landed.filter(({ purpose }) => purpose === kind);
        expect(landed).toHaveLength(1);
        expect(row.state).toBe(landed[0]?.outcome.kind === 'success' ? 'success' : 'failed');
        expect(row.tx_id).toBe(landed[0]?.txId);
        const attempts = await attemptsOf(row.id);
        expect(attempts.filter((attempt) => attempt.state === 'landed')).toHaveLength(1);
        expect(attempts.filter((attempt) => attempt.state === 'live')).toHaveLength(0);
        expect(await lanesOf(row.id)).toEqual([]);
      });
    }
  }
}

/**
 * A process that stands still at the checkpoint until it is woken. It is never started, so it renews no lease: dead as far
 * as others can see.
 */
export function stoppingAt(checkpoint: Checkpoint) {
  const stopped = Promise.withResolvers<void>();
  const wake = Promise.withResolvers<void>();
  const first = makeExecutor({
    checkpoint: async (at) => {
      if (at !== checkpoint) return;
      stopped.resolve();
      await wake.promise;
    },
  });
  return { first, stopped, wake };
}

/** Stops the first process at the checkpoint, and lets another one end the trade before the first wakes up again. */
export async function takeOver(intent: TradeIntent, checkpoint: Checkpoint): Promise<TradeRow> {
  const { first, stopped, wake } = stoppingAt(checkpoint);
  const { tradeId } = await plan(first, intent);
  const zombie = first.drive(tradeId);
  await stopped.promise;

  makeExecutor().start();
  const row = await vi.waitUntil(
    async () => {
      const current = await tradeRow(tradeId);
      return current.ended_at !== null && current;
    },
    { timeout: 10_000 },
  );
  // The first process was not dead but slow: it wakes up and goes on where it stood.
  wake.resolve();
  expect((await zombie).state).toBe(row.state);
  return row;
}
