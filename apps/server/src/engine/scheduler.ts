import { setTimeout as delay } from 'node:timers/promises';
import type { Schema } from '@kervan/database';
import type { Transaction } from 'kysely';
import { fromKysely, PgBoss, type Job, type JobResult } from 'pg-boss';

/** A planned run of a bot. It is the bot's current one only while number and time are those in the bot's row. */
export interface PlannedRun {
  readonly botId: string;
  readonly run: bigint;
  readonly dueAt: Date;
}

/** Does the runs of one fetched batch. Resolves with the ids of bots whose run could not be done and is to be repeated. */
export type RunHandler = (runs: readonly PlannedRun[]) => Promise<ReadonlySet<string>>;

export interface Scheduler {
  /** Makes the queue usable; with a handler, this process also does the runs that are due. */
  start(handler?: RunHandler): Promise<void>;
  /** Queues runs with the caller's transaction. A bot that has a run queued keeps that one. */
  enqueue(trx: Transaction<Schema>, runs: readonly PlannedRun[]): Promise<void>;
  /** Queues a run in place of the one that the bot has queued, if any. */
  replace(trx: Transaction<Schema>, run: PlannedRun): Promise<void>;
  /** Takes the bot's queued run out. A run that is under way ends by itself: it finds its bot stopped. */
  cancel(trx: Transaction<Schema>, botId: string): Promise<void>;
  status(): { readonly ok: boolean; readonly problem: string | null };
  stop(): Promise<void>;
}

interface SchedulerOptions {
  readonly databaseUrl: string;
  readonly onError: (error: Error) => void;
}

interface RunData {
  readonly botId: string;
  readonly run: string;
  readonly dueAt: string;
}

const QUEUE = 'bot-runs';
const BATCH = 50;
const WORKERS = 4;
const POLL_SEC = 0.5;
const WORK = {
  batchSize: BATCH,
  localConcurrency: 1,
  pollingIntervalSeconds: POLL_SEC,
  burstWhenBatchFull: true,
  heartbeatRefreshSeconds: 3,
  perJobResults: true,
} as const;
const STATUS_MEMORY_MS = 10_000;

/**
 * Bot runs as pg-boss jobs, one queued job a bot.
 *
 * The policy is `short`: it keeps a bot's queued run single and leaves running ones alone. `stately` would also refuse
 * to start a run while an earlier job of the bot still counts as active, and as a whole batch is fetched by one
 * statement, one job left behind by a killed process would hold up every bot until it is taken over. Nothing is lost
 * by it: whether a run is still to be done is decided by the bot's row, under its lock, never by the queue.
 */
export function createScheduler({ databaseUrl, onError }: SchedulerOptions): Scheduler {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: WORKERS + 2,
    application_name: 'kervan-scheduler',
    schedule: false,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    // Finished jobs are of no use to anyone; at 67 runs a second they would soon outweigh everything else.
    maintenanceIntervalSeconds: 30,
  });
  let isStarted = false;
  let lastError: { message: string; at: number } | undefined;

  function report(error: Error) {
    lastError = { message: error.message, at: Date.now() };
    onError(error);
  }
  boss.on('error', report);

  return {
    async start(handler) {
      await boss.start();
      await boss.createQueue(QUEUE, { policy: 'short' });
      // Settings of an existing queue are not touched by createQueue.
      await boss.updateQueue(QUEUE, {
        heartbeatSeconds: 10,
        retryLimit: 2,
        retryDelay: 1,
        deleteAfterSeconds: 30,
      });
      const doRuns = handler ?? (() => Promise.resolve(new Set<string>()));
      const workers = handler ? WORKERS : 0;
      for (let worker = 0; worker < workers; worker++) {
        // Staggered: workers that poll in the same instant leave due runs waiting until they all poll again.
        if (worker > 0) await delay((POLL_SEC * 1000) / WORKERS);
        await boss.work(QUEUE, WORK, async (jobs: Job<RunData>[]): Promise<JobResult[]> => {
          const repeated = await doRuns(jobs.map((job) => plannedRun(job.data)));
          return jobs.map(({ id, data }) => ({
            id,
            status: repeated.has(data.botId) ? 'failed' : 'completed',
          }));
        });
      }
      isStarted = true;
    },

    async enqueue(trx, runs) {
      if (runs.length === 0) return;
      // In one order everywhere: of two transactions that queue the same bots, one waits for the other.
      const sorted = runs.toSorted((a, b) => (a.botId < b.botId ? -1 : 1));
      const jobs = sorted.map((run) => ({
        singletonKey: run.botId,
        data: runData(run),
        startAfter: run.dueAt,
      }));
      await boss.insert(QUEUE, jobs, { db: fromKysely(trx) });
    },

    async replace(trx, run) {
      await boss.upsert(QUEUE, runData(run), {
        singletonKey: run.botId,
        startAfter: run.dueAt,
        match: 'all',
        db: fromKysely(trx),
      });
    },

    async cancel(trx, botId) {
      const db = fromKysely(trx);
      const jobs = await boss.findJobs(QUEUE, { key: botId, queued: true, db });
      const ids = jobs.map((job) => job.id);
      if (ids.length > 0) await boss.deleteJob(QUEUE, ids, { db });
    },

    status() {
      if (!isStarted) return { ok: false, problem: 'the scheduler has not started' };
      if (lastError && Date.now() - lastError.at < STATUS_MEMORY_MS)
        return { ok: false, problem: lastError.message };
      return { ok: true, problem: null };
    },

    async stop() {
      isStarted = false;
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}

function runData({ botId, run, dueAt }: PlannedRun): RunData {
  return { botId, run: run.toString(), dueAt: dueAt.toISOString() };
}

function plannedRun({ botId, run, dueAt }: RunData): PlannedRun {
  return { botId, run: BigInt(run), dueAt: new Date(dueAt) };
}
