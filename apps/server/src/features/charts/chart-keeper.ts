import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@kervan/database';
import type { Logger } from 'pino';
import type { BalanceSamples } from './balance-samples.ts';
import { addUpDays } from './results.ts';

const EVERY_MS = 5 * 60_000;

interface Dependencies {
  readonly db: Database;
  readonly samples: Pick<BalanceSamples, 'takeAll' | 'thinOut'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * What charts need to have been done before they are looked at: every few minutes all balances are sampled, old samples
 * thinned out, and days that are over added up.
 */
export function createChartKeeper({ db, samples, logger }: Dependencies) {
  const stopping = new AbortController();
  let keeping: Promise<void> | undefined;

  async function run(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      try {
        await addUpDays(db, signal);
        await samples.takeAll(signal);
        await samples.thinOut();
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'charts could not be brought up to date');
      }
      await delay(EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    start(): void {
      keeping ??= run();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await keeping;
    },
  };
}
