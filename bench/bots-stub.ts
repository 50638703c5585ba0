import { fileURLToPath } from 'node:url';
import { createNetworks } from '../apps/server/src/engine/networks.ts';
import { withStack } from './lib/bench-stack.ts';
import { createFleet, startFleet, type FleetPlan } from './lib/fleet.ts';
import { measureFleet } from './lib/measure-fleet.ts';
import type { BenchOptions } from './lib/options.ts';
import type { Figure } from './lib/report.ts';
import { withTemporaryFolder } from './lib/temporary-folder.ts';
import { openVault } from './lib/vault.ts';

const BOTS = 10_000;
const RUNS_PER_SECOND = 200;
const SECONDS = 60;
const WARM_UP_SECONDS = 30;
const STUB_SERVER = fileURLToPath(new URL('stub-server.ts', import.meta.url));
const TOKEN = { address: 'stub', symbol: 'STUB', decimals: 6 };

/** What scheduler, executor and database can do when the chains cost nothing. */
export async function botsStub(options: BenchOptions): Promise<Figure[]> {
  const bots = options.bots ?? BOTS;
  const rate = options.rate ?? RUNS_PER_SECOND;
  const meanSec = bots / rate;
  const plan: FleetPlan = {
    bots,
    minIntervalSec: Math.max(5, Math.round(meanSec * 0.8)),
    maxIntervalSec: Math.max(5, Math.round(meanSec * 1.2)),
    tokens: { solana: [TOKEN], bsc: [TOKEN] },
    seed: options.seed,
  };
  return await withTemporaryFolder((folder) =>
    withStack(
      folder,
      options,
      async (stack, db) => {
        const networks = createNetworks({ sandboxPorts: undefined });
        const vault = await openVault(db, folder);
        await createFleet({ db, vault, keys: (chain) => networks.keys(chain) }, plan);
        networks.close();
        await startFleet(db, stack.databaseUrl, plan);
        return await measureFleet(stack, db, {
          claim: `${bots} bots, stub chains`,
          warmUpMs: (options.warmUpSeconds ?? WARM_UP_SECONDS) * 1000,
          forMs: (options.seconds ?? SECONDS) * 1000,
          latenessLimitMs: 600,
        });
      },
      { sandbox: false, server: STUB_SERVER },
    ),
  );
}
