import { KervanError } from '@kervan/contract';
import type { Database, Queryable, Schema } from '@kervan/database';
import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { Executor } from '../../engine/executor.ts';
import type { PlanResult } from '../../engine/plan-trades.ts';
import type { Networks } from '../../engine/networks.ts';
import type { PlannedRun, Scheduler } from '../../engine/scheduler.ts';
import { toTrade } from '../../engine/to-trade.ts';
import { readSettingsOf } from '../../engine/user-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Notifier } from '../../realtime/notifier.ts';
import type { BotLogs } from './bot-log.ts';
import { delayBefore } from './draws.ts';
import { ownWeight, weigh, wishForRun, type Wish } from './intents.ts';
import { plannedLine, refusedRunLine } from './log-lines.ts';
import { findActiveBots, findBusyBots, writeDoneRuns } from './repository.ts';
import { sortRuns, type CurrentRun, type Weights } from './sort-runs.ts';
import { botStatus } from './to-bot.ts';

interface Dependencies {
  readonly db: Database;
  readonly executor: Pick<Executor, 'planMany' | 'driveInBackground'>;
  readonly scheduler: Pick<Scheduler, 'enqueue'>;
  readonly networks: Pick<Networks, 'port'>;
  readonly logs: BotLogs;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told by how much each run was late, for the figures. */
  readonly onRun?: (lateMs: number) => void;
}

/** So many runs that fail one after the other mean that the database is away, not that the bots are at fault. */
const FAILURES_BEFORE_GIVING_UP = 3;

/**
 * Does the runs that the queue hands over, a batch in one transaction: each bot's row is locked, its trade planned,
 * its log line written and its next run queued, all or nothing. A job that comes twice finds the bot's run number
 * moved on and only makes sure that the next run is queued.
 */
export function createBotRunner(deps: Dependencies) {
  const { db, executor, scheduler, networks, logs, notifier, clock, logger } = deps;

  /** Resolves with the bots whose run is to be repeated. */
  async function run(runs: readonly PlannedRun[]): Promise<ReadonlySet<string>> {
    const toWeigh = await wishesThatNeedQuotes(runs);
    // Runs that wait for a quote don't hold up the others.
    const [first, second] = await Promise.all([
      commitOrDivide(
        runs.filter((planned) => !toWeigh.has(planned.botId)),
        new Map(),
      ),
      weighAll(toWeigh).then((weights) =>
        commitOrDivide(
          runs.filter((planned) => toWeigh.has(planned.botId)),
          weights,
        ),
      ),
    ]);
    return new Set([...first, ...second]);
  }

  /** As the bots are at this moment; their rows are not locked before the quotes are there. */
  async function wishesThatNeedQuotes(runs: readonly PlannedRun[]): Promise<Map<string, Wish>> {
    const { bots, settingsOf } = await readBots(db, runs, { isLocked: false });
    return new Map(
      runs.flatMap(({ botId, run }) => {
        const bot = bots.get(botId);
        const wish = bot && wishForRun(bot, run, settingsOf(bot.user_id));
        return wish && ownWeight(wish) === undefined ? [[botId, wish]] : [];
      }),
    );
  }

  async function weighAll(wishes: ReadonlyMap<string, Wish>): Promise<Weights> {
    return new Map(
      await Promise.all(
        [...wishes].map(async ([botId, wish]) => {
          return [botId, { wish, weight: await weigh(networks, wish) }] as const;
        }),
      ),
    );
  }

  /** All runs in one transaction; if it fails, each in its own, so that one bot can't hold up the rest. */
  async function commitOrDivide(runs: readonly PlannedRun[], weights: Weights): Promise<Set<string>> {
    if (runs.length === 0) return new Set();
    try {
      await commit(runs, weights);
      return new Set();
    } catch (error) {
      logger.warn({ err: error, runs: runs.length }, 'a batch of bot runs failed');
    }
    const failed = new Set<string>();
    let inARow = 0;
    for (const planned of runs) {
      if (inARow === FAILURES_BEFORE_GIVING_UP) {
        failed.add(planned.botId);
        continue;
      }
      try {
        await commit([planned], weights);
        inARow = 0;
      } catch (error) {
        inARow++;
        failed.add(planned.botId);
        logger.error({ err: error, botId: planned.botId }, 'a bot run failed');
      }
    }
    return failed;
  }

  async function commit(runs: readonly PlannedRun[], weights: Weights): Promise<void> {
    const now = clock();
    const afterCommit = await db.transaction().execute(async (trx) => {
      const { bots, settingsOf } = await readBots(trx, runs, { isLocked: true });
      const { current, others } = sortRuns(runs, bots, settingsOf, weights);
      return await doRuns(trx, current, others, now);
    });
    for (const tell of afterCommit) tell();
  }

  async function doRuns(
    trx: Transaction<Schema>,
    current: readonly CurrentRun[],
    others: readonly PlannedRun[],
    now: Date,
  ): Promise<(() => void)[]> {
    const plans = await planAll(trx, current);

    const done = current.map(({ bot, run }) => {
      const intervalMs = delayBefore(bot, run + 1n);
      // Counted from now, not from when the run was due: after a standstill nobody runs in bursts.
      const nextRunAt = new Date(now.getTime() + intervalMs);
      return { bot, botId: bot.id, nextRun: run + 1n, nextRunAt, intervalMs };
    });
    await writeDoneRuns(trx, now, done);
    const next = done.map(({ botId, nextRun, nextRunAt }) => ({ botId, run: nextRun, dueAt: nextRunAt }));
    await scheduler.enqueue(trx, [...others, ...next]);

    const lines = current.flatMap(({ bot, run }) => {
      const plan = plans.get(bot.id);
      const trade = plan && 'tradeId' in plan ? plan.trade : null;
      const owner = { botId: bot.id, userId: bot.user_id };
      if (trade) return [{ ...owner, ...plannedLine(trade, run) }];
      if (plan && 'refusal' in plan)
        return [{ ...owner, ...refusedRunLine(plan.refusal.code, plan.refusal.context, run) }];
      return [];
    });
    const tellLogs = await logs.append(trx, lines);

    return [
      tellLogs,
      () => {
        for (const { bot, nextRunAt, intervalMs } of done) {
          if (bot.next_run_at) deps.onRun?.(now.getTime() - bot.next_run_at.getTime());
          const after = { ...bot, next_run_at: nextRunAt, interval_ms: intervalMs };
          notifier.emit(bot.user_id, 'bot:status', botStatus(after, 'scheduled'));
        }
        for (const plan of plans.values()) {
          if (!('tradeId' in plan)) continue;
          if (plan.trade) notifier.emit(plan.trade.user_id, 'trade:updated', toTrade(plan.trade));
          executor.driveInBackground(plan.tradeId, plan.trade);
        }
      },
    ];
  }

  /**
   * What became of each bot's wish, by bot. A bot whose trade is still under way sits this run out: while a node is
   * away its trades would pile up, and all be done at once when it comes back.
   */
  async function planAll(
    trx: Transaction<Schema>,
    current: readonly CurrentRun[],
  ): Promise<Map<string, PlanResult>> {
    const plans = new Map<string, PlanResult>();
    const busy = await findBusyBots(
      trx,
      current.map(({ bot }) => bot.id),
    );
    const intents = current.flatMap(({ bot, intent }) => {
      const refusal = busy.has(bot.id) ? new KervanError('BOT_ACTIVE_LIMIT') : intent;
      if (!(refusal instanceof KervanError)) return [refusal];
      plans.set(bot.id, { refusal });
      return [];
    });
    const results = await executor.planMany(trx, intents);
    for (const [index, intent] of intents.entries()) {
      const result = results[index];
      if (result && intent.sourceId !== null) plans.set(intent.sourceId, result);
    }
    return plans;
  }

  return { run };
}

async function readBots(db: Queryable, runs: readonly PlannedRun[], options: { isLocked: boolean }) {
  const botIds = runs.map((planned) => planned.botId);
  const bots = await findActiveBots(db, botIds, options);
  const userIds = [...bots.values()].map((bot) => bot.user_id);
  return { bots, settingsOf: await readSettingsOf(db, userIds) };
}
