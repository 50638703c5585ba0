import { BOT_FAILURES_BEFORE_STOP, errorMessage, KervanError } from '@kervan/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { drawAmount, drawDelayMs } from '@kervan/domain';
import { setHalted } from '../src/engine/halt.ts';
import { startBotsFixture, type BotsFixture } from './bots-fixture.ts';

const CHAINS = ['solana', 'bsc'] as const;
const patiently = { timeout: 15_000, interval: 20 };

let f: BotsFixture;
let userId: string;

beforeAll(async () => {
  f = await startBotsFixture();
  f.executor.start();
  await f.scheduler.start(f.runner.run);
});
afterAll(() => f.stop());

beforeEach(async () => {
  userId = await f.addUser();
  f.events.length = 0;
  for (const chain of CHAINS) f.chains[chain].script('land');
  for (const chain of CHAINS) f.chains[chain].refuse(undefined);
});

async function waitForRun(botId: string, run: bigint) {
  await vi.waitFor(async () => expect((await f.botRow(botId)).run_count).toBe(run), patiently);
}

async function waitForEndedTrades(botId: string, count: number) {
  await vi.waitFor(async () => {
    const ended = (await f.tradesOf(botId)).filter((trade) => trade.ended_at !== null);
    expect(ended).toHaveLength(count);
  }, patiently);
}

describe.each(CHAINS)('a %s bot', (chain) => {
  test('trades what its seed draws for the run and waits what the seed draws for the next', async () => {
    const bot = await f.addBot(userId, chain);
    const started = await f.bots.start({ userId, botId: bot.id });
    expect(started.interval_ms).toBe(drawDelayMs(bot.seed, -1n, 5, 10));

    const before = Date.now();
    await f.makeDue(bot.id);
    await waitForEndedTrades(bot.id, 1);

    const [trade] = await f.tradesOf(bot.id);
    const decimals = chain === 'solana' ? 9n : 18n;
    const unit = 10n ** (decimals - 2n);
    expect(trade?.amount_in_units).toBe(drawAmount(bot.seed, 0n, unit, 2n * unit));
    expect(trade).toMatchObject({ state: 'success', source: 'bot', source_name: 'Bot', chain });
    const after = await f.botRow(bot.id);
    expect(after.interval_ms).toBe(drawDelayMs(bot.seed, 0n, 5, 10));
    expect(after.next_run_at?.getTime()).toBeGreaterThanOrEqual(before + (after.interval_ms ?? 0));
    expect(after).toMatchObject({ run_count: 1n, execution_count: 1, failures_in_a_row: 0, is_active: true });
  });

  test('tells its console and its owner what happened, in that order', async () => {
    const bot = await f.addBot(userId, chain);
    await f.bots.start({ userId, botId: bot.id });
    await f.makeDue(bot.id);
    await vi.waitFor(() => expect(f.eventsOf('trade:executed')).toHaveLength(1), patiently);
    await f.bots.stop({ userId, botId: bot.id });

    const lines = await f.logsOf(bot.id);
    expect(lines.map((line) => [line.level, line.data])).toMatchObject([
      ['info', { code: 'BOT_STARTED' }],
      ['info', { code: 'RUN_PLANNED', run: 1 }],
      ['success', { code: 'TRADE_SUCCESS' }],
      ['info', { code: 'BOT_STOPPED' }],
    ]);
    expect(f.eventsOf('bot:log').map((line) => line.id)).toEqual(lines.map((line) => line.id));
    const statuses = f.eventsOf('bot:status');
    expect(statuses.map(({ status, message, is_active }) => [status, message, is_active])).toEqual([
      ['started', 'started', true],
      ['started', 'scheduled', true],
      ['stopped', 'stopped', false],
    ]);
    expect(f.eventsOf('trade:updated').map((trade) => trade.status)).toEqual(['pending', 'success']);
    expect(f.events.every((event) => event.userId === userId)).toBe(true);
  });
});

test('an edit that draws the next run anew does not tell of a run', async () => {
  const bot = await f.addBot(userId, 'solana', { range_time_min: 3000, range_time_max: 3600 });
  const owned = { userId, botId: bot.id };
  await f.bots.start(owned);
  const { next_run_at } = await f.bots.update(owned, { range_time_min: 30, range_time_max: 60 });
  expect(f.eventsOf('bot:status').at(-1)).toMatchObject({
    status: 'started',
    message: 'started',
    nextRunAt: next_run_at?.getTime(),
  });
});

describe('a run', () => {
  test('of a sell whose range begins at nothing trades at least the smallest unit', async () => {
    // With 6 decimals the range is 0 to 1 units: half of all draws would be 0.
    const amounts = { action: 'sell', amount_min: 0, amount_max: 0.000001 } as const;
    const bot = await f.addBot(userId, 'solana', amounts);
    for (let count = 1; count <= 5; count++) {
      await f.executeNow({ userId, botId: bot.id });
      await waitForEndedTrades(bot.id, count);
    }
    const traded = (await f.tradesOf(bot.id)).map((trade) => trade.amount_in_units);
    expect(new Set(traded)).toEqual(new Set([1n]));
  });

  test('is done once however often its job is delivered', async () => {
    const bot = await f.addBot(userId, 'solana');
    await f.bots.start({ userId, botId: bot.id });
    const run = await f.makeDue(bot.id);
    await Promise.all(Array.from({ length: 8 }, () => f.runner.run([run, run])));
    await f.runner.run([run]);
    expect(await f.tradesOf(bot.id)).toHaveLength(1);
    expect((await f.botRow(bot.id)).run_count).toBe(1n);
  });

  test('leaves the next run queued even when only an outdated job comes', async () => {
    const bot = await f.addBot(userId, 'solana');
    await f.bots.start({ userId, botId: bot.id });
    const outdated = { botId: bot.id, run: 0n, dueAt: new Date(0) };
    await f.db.transaction().execute((trx) => f.scheduler.cancel(trx, bot.id));
    await f.runner.run([outdated]);
    expect(await f.tradesOf(bot.id)).toHaveLength(0);
    await expect(f.runner.run([outdated])).resolves.toEqual(new Set());
    const queued = await queuedRuns(bot.id);
    expect(queued).toEqual([(await f.botRow(bot.id)).next_run_at]);
  });

  test('of a bot that was stopped or deleted meanwhile is not done', async () => {
    const bot = await f.addBot(userId, 'solana');
    await f.bots.start({ userId, botId: bot.id });
    const run = await f.makeDue(bot.id);
    await f.bots.remove({ userId, botId: bot.id });
    await f.runner.run([run]);
    expect(await f.tradesOf(bot.id)).toHaveLength(0);
    expect(await queuedRuns(bot.id)).toEqual([]);
  });

  test('whose transaction fails leaves nothing behind and is to be repeated', async () => {
    const good = await f.addBot(userId, 'solana');
    const bad = await f.addBot(userId, 'solana');
    for (const bot of [good, bad]) await f.bots.start({ userId, botId: bot.id });
    // More than an amount column holds: stands for whatever breaks one bot's run and no other's.
    await f.db
      .updateTable('bots')
      .set({ amount_min: 1e299, amount_max: 1e300 })
      .where('id', '=', bad.id)
      .execute();
    const runs = await Promise.all([f.makeDue(good.id), f.makeDue(bad.id)]);
    await expect(f.runner.run(runs)).resolves.toEqual(new Set([bad.id]));
    expect(await f.tradesOf(good.id)).toHaveLength(1);
    expect(await f.tradesOf(bad.id)).toHaveLength(0);
    expect((await f.botRow(bad.id)).run_count).toBe(0n);
    await f.bots.stop({ userId, botId: bad.id });
  });

  test('that was lost with its queue entry is found by the sweep', async () => {
    const bot = await f.addBot(userId, 'solana');
    await f.bots.start({ userId, botId: bot.id });
    await f.db.transaction().execute(async (trx) => {
      await f.scheduler.cancel(trx, bot.id);
      await trx
        .updateTable('bots')
        .set({ next_run_at: new Date(Date.now() - 6_000) })
        .where('id', '=', bot.id)
        .execute();
    });
    await f.sweeper.sweep();
    await waitForRun(bot.id, 1n);
    expect(await f.tradesOf(bot.id)).toHaveLength(1);
  });

  test('that a limit forbids is a warning in the console, and the schedule goes on', async () => {
    const limits = { maxNativePerTrade: 0.001, maxNativePerWalletPerDay: null };
    const settings = {
      solana: { network: 'sandbox', limits },
      bsc: { network: 'sandbox', limits },
    };
    await f.db
      .insertInto('settings')
      .values({ user_id: userId, data: JSON.stringify(settings) })
      .execute();
    const buyer = await f.addBot(userId, 'solana');
    // What a sell is worth is what it is quoted to bring: here a lamport for each base unit of the token.
    const seller = await f.addBot(userId, 'solana', { action: 'sell', amount_min: 1.5, amount_max: 2 });
    const smallSeller = await f.addBot(userId, 'solana', {
      action: 'sell',
      amount_min: 0.5,
      amount_max: 0.6,
    });
    for (const { id } of [buyer, seller, smallSeller]) {
      await f.bots.start({ userId, botId: id });
      await f.makeDue(id);
      await waitForRun(id, 1n);
    }
    for (const bot of [buyer, seller]) {
      expect(await f.tradesOf(bot.id)).toHaveLength(0);
      expect((await f.logsOf(bot.id)).at(-1)).toMatchObject({
        level: 'warning',
        data: { code: 'COULD_NOT_TRADE', reason: 'LIMIT_PER_TRADE', limit: '0.001', symbol: 'SOL' },
      });
      expect((await f.botRow(bot.id)).is_active).toBe(true);
      expect(await queuedRuns(bot.id)).toHaveLength(1);
    }
    const [trade] = await f.tradesOf(smallSeller.id);
    expect(trade?.limit_value_units).toBe(trade?.amount_in_units);
  });

  test('while trading is halted is a warning in the console, and the schedule goes on', async () => {
    const bot = await f.addBot(userId, 'bsc');
    await f.bots.start({ userId, botId: bot.id });
    await setHalted(f.db, true);
    try {
      await f.makeDue(bot.id);
      await waitForRun(bot.id, 1n);
    } finally {
      await setHalted(f.db, false);
    }
    expect(await f.tradesOf(bot.id)).toHaveLength(0);
    expect((await f.logsOf(bot.id)).at(-1)).toMatchObject({
      level: 'warning',
      data: { reason: 'TRADING_HALTED' },
    });
  });

  test('of a bot whose last trade is still under way is a warning, so that trades never pile up', async () => {
    f.chains.bsc.script('drop');
    const bot = await f.addBot(userId, 'bsc');
    await f.bots.start({ userId, botId: bot.id });
    await f.makeDue(bot.id);
    await waitForRun(bot.id, 1n);
    await f.makeDue(bot.id);
    await waitForRun(bot.id, 2n);
    expect(await f.tradesOf(bot.id)).toHaveLength(1);
    expect((await f.logsOf(bot.id)).at(-1)).toMatchObject({
      level: 'warning',
      data: { reason: 'BOT_ACTIVE_LIMIT', run: 2 },
    });
    f.chains.bsc.script('land');
    await waitForEndedTrades(bot.id, 1);
    await f.makeDue(bot.id);
    await waitForEndedTrades(bot.id, 2);
  });

  test('that finds no balance is a warning and no failure', async () => {
    f.chains.solana.refuse('BALANCE_INSUFFICIENT');
    const bot = await f.addBot(userId, 'solana');
    await f.bots.start({ userId, botId: bot.id });
    await f.makeDue(bot.id);
    await waitForEndedTrades(bot.id, 1);
    expect((await f.tradesOf(bot.id))[0]?.state).toBe('cancelled');
    expect(await f.botRow(bot.id)).toMatchObject({
      failures_in_a_row: 0,
      execution_count: 0,
      is_active: true,
    });
    expect((await f.logsOf(bot.id)).at(-1)).toMatchObject({
      level: 'warning',
      data: { code: 'COULD_NOT_TRADE', reason: 'BALANCE_INSUFFICIENT' },
    });
    expect(f.eventsOf('trade:executed')).toEqual([]);
  });
});

describe('failed trades', () => {
  test('stop the bot after five in a row, and it says so', async () => {
    f.chains.solana.script('revert');
    const bot = await f.addBot(userId, 'solana');
    await f.bots.start({ userId, botId: bot.id });
    for (let run = 1; run <= BOT_FAILURES_BEFORE_STOP; run++) {
      await f.makeDue(bot.id);
      await waitForEndedTrades(bot.id, run);
    }
    expect(await f.botRow(bot.id)).toMatchObject({
      is_active: false,
      next_run_at: null,
      execution_count: BOT_FAILURES_BEFORE_STOP,
    });
    expect(await queuedRuns(bot.id)).toEqual([]);
    expect((await f.logsOf(bot.id)).slice(-2)).toMatchObject([
      { level: 'error', data: { code: 'TRADE_FAILED', reason: 'SLIPPAGE_EXCEEDED' } },
      { level: 'error', data: { code: 'BOT_STOPPED_AFTER_FAILURES', failures: 5 } },
    ]);
    expect(f.eventsOf('trade:executed').at(-1)).toMatchObject({
      botId: bot.id,
      status: 'failed',
      errorCode: 'SLIPPAGE_EXCEEDED',
      errorContext: {},
      error: errorMessage('SLIPPAGE_EXCEEDED'),
    });
    await vi.waitFor(() =>
      expect(f.eventsOf('bot:status').at(-1)).toMatchObject({ status: 'stopped', is_active: false }),
    );
    const restarted = await f.bots.start({ userId, botId: bot.id });
    expect(restarted).toMatchObject({ is_active: true, failures_in_a_row: 0 });
  });

  test('in between successes do not add up', async () => {
    const bot = await f.addBot(userId, 'bsc');
    await f.bots.start({ userId, botId: bot.id });
    let ended = 0;
    for (const fate of ['revert', 'revert', 'land', 'revert'] as const) {
      f.chains.bsc.script(fate);
      await f.makeDue(bot.id);
      await waitForEndedTrades(bot.id, ++ended);
    }
    expect(await f.botRow(bot.id)).toMatchObject({ failures_in_a_row: 1, is_active: true });
  });
});

describe('execute now', () => {
  test('trades once for one key, also when the bot is not active', async () => {
    const bot = await f.addBot(userId, 'solana');
    const owned = { userId, botId: bot.id };
    const answers = await Promise.all([
      f.executeNow(owned, 'key-1'),
      f.executeNow(owned, 'key-1'),
      f.executeNow(owned, 'key-1'),
    ]);
    expect(new Set(answers.map((answer) => answer.tradeId)).size).toBe(1);
    await waitForEndedTrades(bot.id, 1);
    expect(await f.botRow(bot.id)).toMatchObject({ run_count: 0n, execution_count: 1, is_active: false });
    expect((await f.logsOf(bot.id)).map((line) => line.data)).toMatchObject([
      { code: 'TRADE_NOW' },
      { code: 'TRADE_SUCCESS' },
    ]);
  });

  test('answers a key it knows without asking a node for a quote, whatever became of the bot since', async () => {
    const limits = { maxNativePerTrade: 1_000, maxNativePerWalletPerDay: null };
    const data = { solana: { network: 'sandbox', limits }, bsc: { network: 'sandbox', limits } };
    await f.db
      .insertInto('settings')
      .values({ user_id: userId, data: JSON.stringify(data) })
      .execute();
    // A sell under limits has to be weighed by a quote.
    const quote = vi.spyOn(f.chains.bsc.port, 'quote');
    const bot = await f.addBot(userId, 'bsc', { action: 'sell', amount_min: 1, amount_max: 2 });
    const owned = { userId, botId: bot.id };
    const first = await f.executeNow(owned, 'key-1');
    expect(quote).toHaveBeenCalledOnce();

    quote.mockRejectedValue(new KervanError('NETWORK_UNREACHABLE', { network: 'BSC sandbox' }));
    await f.bots.update(owned, { token_address: null });
    expect(await f.executeNow(owned, 'key-1')).toEqual(first);
    expect(quote).toHaveBeenCalledOnce();
    quote.mockRestore();
    await waitForEndedTrades(bot.id, 1);
  });

  test('without a key is a trade each time, with amounts of their own', async () => {
    const bot = await f.addBot(userId, 'solana');
    await f.executeNow({ userId, botId: bot.id });
    await f.executeNow({ userId, botId: bot.id });
    await waitForEndedTrades(bot.id, 2);
    const [first, second] = await f.tradesOf(bot.id);
    expect(first?.amount_in_units).not.toBe(second?.amount_in_units);
  });

  test('is refused in words where it can not trade', async () => {
    const bot = await f.addBot(userId, 'bsc', { token_address: null });
    await expect(f.executeNow({ userId, botId: bot.id })).rejects.toMatchObject({
      code: 'BOT_TOKEN_REQUIRED',
    });
    const stranger = await f.addUser();
    await expect(f.executeNow({ userId: stranger, botId: bot.id })).rejects.toMatchObject({
      code: 'BOT_NOT_FOUND',
    });
  });
});

test('a console keeps its newest thousand lines, and other consoles keep theirs', async () => {
  const bot = await f.addBot(userId, 'solana');
  const other = await f.addBot(userId, 'solana');
  const line = { level: 'info', message: 'm' } as const;
  const values = [bot, other].flatMap(({ id }, index) =>
    Array.from({ length: index === 0 ? 1200 : 900 }, () => ({ bot_id: id, ...line })),
  );
  await f.db.insertInto('bot_logs').values(values).execute();
  // One line in a hundred prunes.
  await vi.waitFor(async () => {
    await f.bots.start({ userId, botId: bot.id });
    await f.bots.stop({ userId, botId: bot.id });
    const count = await countLines(bot.id);
    expect(count).toBeLessThan(1200);
    expect(count).toBeGreaterThanOrEqual(1000);
  }, patiently);
  expect(await countLines(other.id)).toBe(900);
  expect((await f.logsOf(bot.id)).at(-1)?.message).toBe('Bot stopped.');
});

async function countLines(botId: string): Promise<number> {
  const { count } = await f.db
    .selectFrom('bot_logs')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('bot_id', '=', botId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function queuedRuns(botId: string): Promise<Date[]> {
  const { rows } = await sql<{ start_after: Date }>`
    select start_after from pgboss.job where singleton_key = ${botId} and state < 'active'`.execute(f.db);
  return rows.map((row) => row.start_after);
}
