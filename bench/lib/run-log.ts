import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@kervan/database';

/** What was seen of the bots' runs that were due within a span of time. */
export interface RunLog {
  /** By how much each run began later than it was due, in ms; one that has not begun yet, by how much it is late so far. */
  readonly latenessMs: readonly number[];
  /** Runs that began and planned a trade. */
  readonly planned: number;
  /** Trades of those runs, by the state that they have reached. */
  readonly states: ReadonlyMap<string, number>;
}

/** Often enough that every run of a bot with intervals above it is seen waiting. */
const LOOK_EVERY_MS = 15_000;
/** A trade that was planned at the very end of the span gets this long to end. */
const REST_MS = 10_000;

/**
 * Watches the bots from outside for `forMs`: looks which run each bot waits for and when that is due, and afterwards
 * holds that against the moment at which the run's trade was planned.
 */
export async function logRuns(db: Database, forMs: number): Promise<RunLog> {
  const startedAt = Date.now();
  const endsAt = startedAt + forMs;
  const due = new Map<string, number>();
  for (;;) {
    const waiting = await db
      .selectFrom('bots')
      .select(['id', 'run_count', 'next_run_at'])
      .where('is_active', '=', true)
      .where('next_run_at', 'is not', null)
      .$narrowType<{ next_run_at: Date }>()
      .execute();
    for (const bot of waiting) due.set(`bot:${bot.id}:run:${bot.run_count}`, bot.next_run_at.getTime());
    const left = endsAt - Date.now();
    if (left <= 0) break;
    await delay(Math.min(left, LOOK_EVERY_MS));
  }
  await delay(REST_MS);

  const trades = await db
    .selectFrom('trades')
    .select(['idempotency_key', 'planned_at', 'state'])
    .where('planned_at', '>=', new Date(startedAt))
    .execute();
  const byKey = new Map(trades.map((trade) => [trade.idempotency_key, trade]));
  const latenessMs: number[] = [];
  const states = new Map<string, number>();
  let planned = 0;
  for (const [key, dueAt] of due) {
    if (dueAt < startedAt || dueAt >= endsAt) continue;
    const trade = byKey.get(key);
    latenessMs.push((trade?.planned_at.getTime() ?? Date.now()) - dueAt);
    if (!trade) continue;
    planned += 1;
    states.set(trade.state, (states.get(trade.state) ?? 0) + 1);
  }
  return { latenessMs, planned, states };
}
