import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@kervan/database';
import type { Logger } from 'pino';
import type { Scheduler } from '../../engine/scheduler.ts';
import type { Clock } from '../../lib/clock.ts';
import { findOverdueBots } from './repository.ts';

const INTERVAL_MS = 10_000;
const OVERDUE_MS = 5_000;
const AT_ONCE = 1000;

interface Dependencies {
  readonly db: Database;
  readonly scheduler: Pick<Scheduler, 'enqueue'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Queues the run of every active bot that ought to have run and has not: a job lost with its process, given up after
 * retries, or removed by hand. A bot whose job is still queued keeps it, so this never doubles anything.
 */
export function createBotSweeper({ db, scheduler, clock, logger }: Dependencies) {
  const stopping = new AbortController();
  let sweeping: Promise<void> | undefined;

  async function sweep(): Promise<void> {
    const before = new Date(clock().getTime() - OVERDUE_MS);
    const bots = await findOverdueBots(db, before, AT_ONCE);
    if (bots.length === 0) return;
    const runs = bots.map((bot) => ({ botId: bot.id, run: bot.run_count, dueAt: bot.next_run_at }));
    await db.transaction().execute((trx) => scheduler.enqueue(trx, runs));
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweep().catch((error: unknown) =>
        logger.warn({ err: error }, 'overdue bots could not be looked for'),
      );
      await delay(INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    sweep,
    start(): void {
      sweeping ??= loop();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await sweeping;
    },
  };
}
