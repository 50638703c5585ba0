import { setTimeout as delay } from 'node:timers/promises';
import { NO_LIMITS } from '@kervan/domain';
import { parseEther } from 'viem';
import { bareBscSwap, untaxedToken } from './lib/bare-bsc-swap.ts';
import type { BenchOptions } from './lib/options.ts';
import type { Figure } from './lib/report.ts';
import { raceSwaps, swapByExecutor, type Swap } from './lib/swap-race.ts';
import { withTemporaryFolder } from './lib/temporary-folder.ts';
import { withTradingDesk, type TradingDesk } from './lib/trading-desk.ts';

const PAIRS = 300;
const AMOUNT = parseEther('0.001');
const FUNDS = parseEther('100');
const SLIPPAGE_BPS = 100;
const SETTLING_MS = 1_500;

/** One V2 buy through the executor against a bare viem script on the same node. */
export async function swapBsc(options: BenchOptions): Promise<Figure[]> {
  return await withTemporaryFolder((folder) =>
    withTradingDesk(folder, async (desk) => {
      // The first swap of a pool begins its price record and costs more gas; a simulation in the very second of
      // the pool's creation does not see that yet.
      await delay(SETTLING_MS);
      return await raceSwaps({
        claim: 'BSC V2 buy',
        pairs: options.pairs ?? PAIRS,
        ours: await executorSwap(desk),
        bare: await bareBscSwap(desk.sandbox, {
          fundsWei: FUNDS,
          amountWei: AMOUNT,
          slippageBps: SLIPPAGE_BPS,
        }),
        maxRatio: 1.5,
      });
    }),
  );
}

async function executorSwap(desk: TradingDesk): Promise<Swap> {
  const token = await untaxedToken(desk.sandbox);
  const { userId, ...wallet } = await desk.addWallet('bsc', FUNDS);
  return swapByExecutor(desk, (serial) => ({
    idempotencyKey: `swap ${serial}`,
    userId,
    wallet,
    chain: 'bsc',
    network: 'sandbox',
    source: 'fast-swap',
    sourceId: null,
    sourceName: null,
    action: 'buy',
    token,
    amountInUnits: AMOUNT,
    slippageBps: SLIPPAGE_BPS,
    dexVersion: 'v2',
    gas: null,
    limits: NO_LIMITS,
    limitValueUnits: AMOUNT,
  }));
}
