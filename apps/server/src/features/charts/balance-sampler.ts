import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { BalanceSamples } from './balance-samples.ts';

const EVERY_MS = 5 * 60_000;

/** Samples all balances every few minutes, and thins out the old ones. */
export function createBalanceSampler(
  samples: Pick<BalanceSamples, 'takeAll' | 'thinOut'>,
  logger: Pick<Logger, 'warn'>,
) {
  const stopping = new AbortController();
  let sampling: Promise<void> | undefined;

  async function run(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await delay(EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      try {
        await samples.takeAll(signal);
        await samples.thinOut();
      } catch (error) {
        logger.warn({ err: error }, 'balances could not be sampled');
      }
    }
  }

  return {
    start(): void {
      sampling ??= run();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await sampling;
    },
  };
}
