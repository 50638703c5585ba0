import { KervanError } from '@kervan/contract';
import type { BotRow, Schema } from '@kervan/database';
import type { Transaction } from 'kysely';
import type { Scheduler } from '../../engine/scheduler.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Notifier } from '../../realtime/notifier.ts';
import type { BotLogs } from './bot-log.ts';
import { delayBefore } from './draws.ts';
import { startedLine, stoppedLine } from './log-lines.ts';
import { updateBot } from './repository.ts';
import { botStatus } from './to-bot.ts';

interface Dependencies {
  readonly scheduler: Pick<Scheduler, 'enqueue' | 'replace' | 'cancel'>;
  readonly logs: BotLogs;
  readonly notifier: Notifier;
  readonly clock: Clock;
}

/** A bot after a change, and what to tell once the change is committed. */
export interface Changed {
  readonly bot: BotRow;
  readonly tell: () => void;
}

export type BotSwitch = ReturnType<typeof createBotSwitch>;

/** Starting and stopping, on bots that the caller's transaction has locked. */
export function createBotSwitch({ scheduler, logs, notifier, clock }: Dependencies) {
  /** Queues the first run at a random delay (spec §4). An active bot is left as it is. */
  async function start(trx: Transaction<Schema>, bot: BotRow): Promise<Changed> {
    if (bot.token_address === null) throw new KervanError('BOT_TOKEN_REQUIRED');
    if (bot.is_active) return { bot, tell: () => {} };
    const { interval_ms, next_run_at } = nextRun(bot);
    const started = await updateBot(trx, bot.id, {
      is_active: true,
      failures_in_a_row: 0,
      interval_ms,
      next_run_at,
    });
    await scheduler.enqueue(trx, [{ botId: bot.id, run: bot.run_count, dueAt: next_run_at }]);
    const tellLog = await logs.append(trx, [{ botId: bot.id, userId: bot.user_id, ...startedLine(started) }]);
    return {
      bot: started,
      tell: () => {
        tellLog();
        notifier.emit(bot.user_id, 'bot:status', botStatus(started, 'started'));
      },
    };
  }

  /** Takes the queued run out; a trade that is already planned goes on. */
  async function stop(trx: Transaction<Schema>, bot: BotRow): Promise<Changed> {
    if (!bot.is_active) return { bot, tell: () => {} };
    const stopped = await updateBot(trx, bot.id, {
      is_active: false,
      next_run_at: null,
      interval_ms: null,
    });
    await scheduler.cancel(trx, bot.id);
    const tellLog = await logs.append(trx, [{ botId: bot.id, userId: bot.user_id, ...stoppedLine() }]);
    return {
      bot: stopped,
      tell: () => {
        tellLog();
        notifier.emit(bot.user_id, 'bot:status', botStatus(stopped, 'stopped'));
      },
    };
  }

  /** After an edit: a run that waits longer than the new ranges allow is drawn anew. */
  async function keepWithinRange(trx: Transaction<Schema>, bot: BotRow): Promise<Changed> {
    const latest = clock().getTime() + bot.range_time_max * 1000;
    if (!bot.is_active || bot.next_run_at === null || bot.next_run_at.getTime() <= latest)
      return { bot, tell: () => {} };
    const { interval_ms, next_run_at } = nextRun(bot);
    const redrawn = await updateBot(trx, bot.id, { interval_ms, next_run_at });
    await scheduler.replace(trx, { botId: bot.id, run: bot.run_count, dueAt: next_run_at });
    return {
      bot: redrawn,
      // Not `scheduled`: to its hearers that means that the bot has just run.
      tell: () => notifier.emit(bot.user_id, 'bot:status', botStatus(redrawn, 'started')),
    };
  }

  function nextRun(bot: BotRow): { interval_ms: number; next_run_at: Date } {
    const interval_ms = delayBefore(bot, bot.run_count);
    return { interval_ms, next_run_at: new Date(clock().getTime() + interval_ms) };
  }

  return { start, stop, keepWithinRange };
}
