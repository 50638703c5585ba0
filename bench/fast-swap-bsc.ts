import { routes } from '@kervan/contract';
import { parseEther } from 'viem';
import type { SandboxClient } from '../apps/server/src/engine/sandbox-client.ts';
import type { ApiClient } from '../e2e/lib/api-client.ts';
import { bareBscSwap, untaxedToken } from './lib/bare-bsc-swap.ts';
import { raceFastSwaps } from './lib/fast-swap-race.ts';
import type { BenchOptions } from './lib/options.ts';
import type { Figure } from './lib/report.ts';
import type { Swap } from './lib/swap-race.ts';

const WALLETS = 50;
const PAIRS = 30;
/** Enough for all rounds; each spends a hundredth of what is there. */
const FUNDS = parseEther('10');
const AMOUNT = parseEther('0.1');
const SLIPPAGE_BPS = 1_000;

/** A fast swap of 50 wallets, from the request to its answer, against a bare viem script on the same node. */
export async function fastSwapBsc(options: BenchOptions): Promise<Figure[]> {
  return await raceFastSwaps(options, {
    claim: `BSC fast swap of ${WALLETS} wallets`,
    pairs: PAIRS,
    ours: fastSwap,
    bare: bareScript,
  });
}

/** As a client asks for it: one call, answered when the last of its trades has ended. */
async function fastSwap(api: ApiClient, sandbox: SandboxClient): Promise<Swap> {
  const walletIds: string[] = [];
  for (let index = 0; index < WALLETS; index++) {
    const { id, address } = await api.call(routes.createBscWallet, { body: { name: `bench ${index}` } });
    await sandbox.grant('bsc', { address, amountUnits: FUNDS });
    walletIds.push(id);
  }
  const { address: tokenAddress } = await untaxedToken(sandbox);
  return async () => {
    const { signatures, failed } = await api.call(routes.bscFastSwap, {
      body: {
        mode: 'buy',
        tokenAddress,
        walletIds,
        percent: 1,
        gasPrice: 'standard',
        slippageBps: SLIPPAGE_BPS / 100,
      },
    });
    if (signatures.length !== WALLETS) throw new Error(`${WALLETS} swaps wanted: ${JSON.stringify(failed)}`);
  };
}

/** Who buys for how much is known; each swap is made as the bare script makes one, all at the same time. */
async function bareScript(sandbox: SandboxClient): Promise<Swap> {
  const terms = { fundsWei: FUNDS, amountWei: AMOUNT, slippageBps: SLIPPAGE_BPS };
  const swaps: Swap[] = [];
  while (swaps.length < WALLETS) swaps.push(await bareBscSwap(sandbox, terms));
  return async () => {
    await Promise.all(swaps.map((swap) => swap()));
  };
}
