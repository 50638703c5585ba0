import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverEvents, type Chain, type ServerEvent, type ServerEventName } from '@kervan/contract';
import type { ChainPort } from '@kervan/chains';
import { connect, migrate, startEmbeddedPostgres, type BotRow } from '@kervan/database';
import { pino } from 'pino';
import { createExecutor } from '../src/engine/executor.ts';
import type { Networks } from '../src/engine/networks.ts';
import { createScheduler } from '../src/engine/scheduler.ts';
import { createBotLogs } from '../src/features/bots/bot-log.ts';
import { createExecuteNow } from '../src/features/bots/execute-now.ts';
import { createBotRunner } from '../src/features/bots/runner.ts';
import { createBotsService, type BotFields } from '../src/features/bots/service.ts';
import { createBotSweeper } from '../src/features/bots/sweeper.ts';
import { createBotSwitch } from '../src/features/bots/switch.ts';
import { createBotTradeListener } from '../src/features/bots/trade-listener.ts';
import { systemClock } from '../src/lib/clock.ts';
import { uuidv7 } from '../src/lib/ids.ts';
import type { Notifier } from '../src/realtime/notifier.ts';
import { createFakeChain } from './fake-chain.ts';

export const TOKEN = { solana: 'So1TestToken1111111111111111111111111111111', bsc: `0x${'ab'.repeat(20)}` };

export interface SeenEvent {
  readonly userId: string;
  readonly event: ServerEventName;
  readonly payload: unknown;
}

export type BotsFixture = Awaited<ReturnType<typeof startBotsFixture>>;

/** Bots on a real database and the real queue and executor; only the chains are fakes. */
export async function startBotsFixture() {
  const dataDir = await mkdtemp(join(tmpdir(), 'kervan-bots-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const db = connect(postgres.url, { max: 20 });
  await migrate(db);

  const logger = pino({ level: 'silent' });
  const chains = { solana: createFakeChain('solana'), bsc: createFakeChain('bsc') };
  const events: SeenEvent[] = [];
  const notifier: Notifier = {
    emit(userId, event, payload) {
      // What the web would receive has to be what the contract says.
      serverEvents[event].parse(payload);
      events.push({ userId, event, payload });
    },
    emitToAll: () => {
      throw new Error('bots tell nothing to everyone');
    },
  };
  const portOf = (chain: Chain): ChainPort => chains[chain].port;
  const networks: Pick<Networks, 'port' | 'verifiedPort'> = {
    port: portOf,
    verifiedPort: (chain) => Promise.resolve(portOf(chain)),
  };

  const scheduler = createScheduler({ databaseUrl: postgres.url, onError: () => {} });
  const logs = createBotLogs({ db, notifier, logger });
  const executor = createExecutor({
    db,
    port: portOf,
    readKey: () => Promise.resolve({ use: (sign) => sign(new Uint8Array(32)) }),
    listeners: { bot: createBotTradeListener({ scheduler, logs, notifier }) },
    logger,
    timing: { leaseMs: 1_000, heartbeatMs: 100, retryMs: 10, rebroadcastMs: 50 },
  });
  const clock = systemClock;
  const bots = createBotsService({
    db,
    networks,
    botSwitch: createBotSwitch({ scheduler, logs, notifier, clock }),
    logs,
  });
  const runner = createBotRunner({
    db,
    executor,
    scheduler,
    networks,
    logs,
    notifier,
    clock,
    logger,
  });
  const executeNow = createExecuteNow({ db, executor, networks, logs, notifier });
  const sweeper = createBotSweeper({ db, scheduler, clock, logger });

  async function addUser(): Promise<string> {
    const id = uuidv7();
    await db.insertInto('users').values({ id, username: id, username_key: id, password_hash: '-' }).execute();
    return id;
  }

  async function addWallet(userId: string, chain: Chain): Promise<string> {
    const id = uuidv7();
    const address = `address-${randomBytes(8).toString('hex')}`;
    const sealed = { sealed_key: Buffer.from('-'), wrapped_data_key: Buffer.from('-') };
    await db
      .insertInto('wallets')
      .values({ id, user_id: userId, chain, name: 'Wallet', address, ...sealed })
      .execute();
    return id;
  }

  async function addBot(userId: string, chain: Chain, over: Partial<BotFields> = {}): Promise<BotRow> {
    return await bots.create(userId, chain, {
      name: 'Bot',
      wallet_id: over.wallet_id ?? (await addWallet(userId, chain)),
      action: 'buy',
      amount_min: 0.01,
      amount_max: 0.02,
      range_time_min: 5,
      range_time_max: 10,
      token_address: TOKEN[chain],
      ...over,
    });
  }

  async function botRow(botId: string): Promise<BotRow> {
    return await db.selectFrom('bots').selectAll().where('id', '=', botId).executeTakeFirstOrThrow();
  }

  /** Lets the bot's next run be due now, as if its delay had passed; answers that run. */
  async function makeDue(botId: string) {
    return await db.transaction().execute(async (trx) => {
      const dueAt = new Date();
      const bot = await trx
        .updateTable('bots')
        .set({ next_run_at: dueAt })
        .where('id', '=', botId)
        .where('is_active', '=', true)
        .returningAll()
        .executeTakeFirstOrThrow();
      const run = { botId, run: bot.run_count, dueAt };
      await scheduler.replace(trx, run);
      return run;
    });
  }

  async function tradesOf(botId: string) {
    return await db.selectFrom('trades').selectAll().where('source_id', '=', botId).orderBy('id').execute();
  }

  async function logsOf(botId: string) {
    const { rows } = await logs.page(botId, { page: 1, limit: 1000 });
    return rows.toReversed().map((line) => {
      const data: unknown = JSON.parse(line.data ?? '{}');
      return { ...line, data };
    });
  }

  function eventsOf<N extends ServerEventName>(event: N): ServerEvent<N>[] {
    const seen = events.filter((each) => each.event === event);
    // Checked by the schema of its own event when it was recorded.
    return seen.map((each) => each.payload as ServerEvent<N>);
  }

  return {
    db,
    databaseUrl: postgres.url,
    chains,
    events,
    eventsOf,
    scheduler,
    executor,
    bots,
    runner,
    executeNow,
    sweeper,
    addUser,
    addWallet,
    addBot,
    botRow,
    makeDue,
    tradesOf,
    logsOf,
    async stop() {
      await sweeper.stop();
      await scheduler.stop();
      await executor.stop();
      await db.destroy();
      await postgres.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
