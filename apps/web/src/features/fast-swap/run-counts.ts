import type { BatchState, SwapRun } from './swap-run.ts';

export interface Counts {
  readonly traded: number;
  readonly failed: number;
  /** Wallets of which nothing final is known yet. */
  readonly open: number;
}

/** How many wallets of a batch traded, failed, or are still under way. */
export function countsOfBatch({ wallets, status, result }: BatchState): Counts {
  if (result === null)
    return status === 'failed'
      ? { traded: 0, failed: wallets.length, open: 0 }
      : { traded: 0, failed: 0, open: wallets.length };
  const traded = result.signatures.length;
  const failed = result.failed.length;
  return { traded, failed, open: result.legs.length - traded - failed };
}

export function countsOf({ batches }: Pick<SwapRun, 'batches'>): Counts {
  return batches.map(countsOfBatch).reduce(
    (sum, counts) => ({
      traded: sum.traded + counts.traded,
      failed: sum.failed + counts.failed,
      open: sum.open + counts.open,
    }),
    { traded: 0, failed: 0, open: 0 },
  );
}
