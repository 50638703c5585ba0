import { withStack } from './lib/bench-stack.ts';
import { startFleet } from './lib/fleet.ts';
import { measureFleet } from './lib/measure-fleet.ts';
import type { BenchOptions } from './lib/options.ts';
import { prepareRealFleet } from './lib/real-fleet.ts';
import type { Figure } from './lib/report.ts';
import { withTemporaryFolder } from './lib/temporary-folder.ts';

const BOTS = 10_000;
const SECONDS = 120;
const WARM_UP_SECONDS = 30;

/** Active bots that trade for real on both chains of the sandbox, in the product as it runs. */
export async function botsReal(options: BenchOptions): Promise<Figure[]> {
  const { bots = BOTS, seed } = options;
  return await withTemporaryFolder((folder) =>
    withStack(folder, options, async (stack, db) => {
      const plan = await prepareRealFleet(stack, db, { folder, bots, seed });
      await startFleet(db, stack.databaseUrl, plan);
      return await measureFleet(stack, db, {
        claim: `${bots} bots, real trades`,
        warmUpMs: (options.warmUpSeconds ?? WARM_UP_SECONDS) * 1000,
        forMs: (options.seconds ?? SECONDS) * 1000,
        latenessLimitMs: 1_000,
      });
    }),
  );
}
