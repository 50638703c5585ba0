import { setTimeout as delay } from 'node:timers/promises';
import type { TradeIntent } from '../../apps/server/src/engine/intent.ts';
import { median, percentile } from './percentiles.ts';
import { atMost, milliseconds, times, type Figure } from './report.ts';
import type { TradingDesk } from './trading-desk.ts';

/** One swap, from asking for its price to knowing what became of it. */
export type Swap = () => Promise<void>;

/** Swaps before the first that counts: connections, compiled code, the database's caches. */
const WARM_UP_PAIRS = 10;

/** A swap as a feature of the server makes it: planned in a transaction of its own, then driven to its end. */
export function swapByExecutor(
  { db, executor }: TradingDesk,
  nextIntent: (serial: number) => TradeIntent,
): Swap {
  let serial = 0;
  return async () => {
    serial += 1;
    const intent = nextIntent(serial);
    const { tradeId, trade } = await db
      .transaction()
      .execute(async (trx) => await executor.plan(trx, intent, { prepareAhead: true }));
    const ended = await executor.drive(tradeId, trade);
    if (ended.state !== 'success') {
      const why = `${ended.error_code} ${JSON.stringify(ended.error_context)}`;
      throw new Error(`The swap of intent ${intent.idempotencyKey} ended as ${ended.state}: ${why}`);
    }
  };
}

/**
 * Runs both kinds of swap in turn, so that whatever else the machine does meets both alike.
 *
 * @param blockMs for a chain whose blocks come with the clock, at multiples of so many milliseconds: both swaps of a
 * pair begin at the same moment between two blocks, every pair at another, so that waiting for a block costs both alike
 */
export async function raceSwaps(race: {
  readonly claim: string;
  readonly pairs: number;
  readonly ours: Swap;
  readonly bare: Swap;
  readonly blockMs?: number;
  readonly maxRatio: number;
}): Promise<Figure[]> {
  const { claim, pairs, blockMs, maxRatio } = race;
  const taken: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  for (let pair = -WARM_UP_PAIRS; pair < pairs; pair++) {
    // Neither is always the one that comes after the other.
    const order = pair % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    for (const kind of order) {
      if (blockMs !== undefined) await delay(untilPhase(pair, blockMs));
      const start = performance.now();
      await race[kind]();
      if (pair >= 0) taken[kind].push(performance.now() - start);
    }
  }
  return [
    atMost(
      `${claim}: median over the bare script's`,
      median(taken.ours) / median(taken.bare),
      maxRatio,
      times,
    ),
    ...(['ours', 'bare'] as const).map((kind) => ({
      claim: `${claim}: ${kind === 'ours' ? 'executor' : 'bare script'}, median and p99`,
      measured: `${milliseconds(median(taken[kind]))}, ${milliseconds(percentile(taken[kind], 0.99))}`,
    })),
  ];
}

/** Multiples of the golden ratio fill the time between two blocks evenly, however many pairs there are. */
const GOLDEN_RATIO = 0.618_033_988_749_895;

function untilPhase(pair: number, blockMs: number): number {
  const share = (((pair * GOLDEN_RATIO) % 1) + 1) % 1;
  return (share * blockMs - (Date.now() % blockMs) + blockMs) % blockMs;
}
