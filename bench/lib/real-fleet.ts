import type { Database } from '@kervan/database';
import type { Stack } from '../../apps/launcher/src/stack.ts';
import { createNetworks } from '../../apps/server/src/engine/networks.ts';
import { createSandboxClient } from '../../apps/server/src/engine/sandbox-client.ts';
import { createFleet, type FleetPlan } from './fleet.ts';
import { fundFleet } from './fund-fleet.ts';
import { openVault } from './vault.ts';

/** A mean of 150 s. */
const INTERVAL = { minIntervalSec: 100, maxIntervalSec: 200 };

/** Makes a fleet that can trade on both chains of the stack's sandbox. Its bots are not active yet. */
export async function prepareRealFleet(
  stack: Stack,
  db: Database,
  asked: { readonly folder: string; readonly bots: number; readonly seed: string },
): Promise<FleetPlan> {
  const { folder, bots, seed } = asked;
  if (!stack.sandboxPorts) throw new Error('The stack has no sandbox');
  const { solana: solanaPort, bsc: bscPort } = stack.sandboxPorts;
  const sandbox = createSandboxClient({ solanaPort, bscPort });
  const [solana, bsc] = await Promise.all([sandbox.solana(), sandbox.bsc()]);
  const plan: FleetPlan = {
    bots,
    ...INTERVAL,
    tokens: {
      solana: solana.tokens.filter(({ symbol }) => symbol !== 'WSOL'),
      bsc: bsc.tokens.filter(({ taxBps }) => taxBps === 0),
    },
    seed,
  };
  const startedAt = performance.now();
  const networks = createNetworks({ sandboxPorts: undefined });
  try {
    const vault = await openVault(db, folder);
    await fundFleet(sandbox, await createFleet({ db, vault, keys: (chain) => networks.keys(chain) }, plan));
  } finally {
    networks.close();
  }
  const tookSec = (performance.now() - startedAt) / 1000;
  process.stderr.write(`${bots} bots prepared in ${tookSec.toFixed(0)} s\n`);
  return plan;
}
