import { setTimeout as delay } from 'node:timers/promises';
import { NO_LIMITS } from '@kervan/domain';
import {
  createPublicClient,
  encodeFunctionData,
  getAddress,
  http,
  parseAbi,
  parseEther,
  parseGwei,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
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
        bare: await bareSwap(desk),
        maxRatio: 1.5,
      });
    }),
  );
}

async function marketOf({ sandbox }: TradingDesk) {
  const { tokens, contracts, chainId } = await sandbox.bsc();
  const token = tokens.find(({ taxBps }) => taxBps === 0);
  if (!token) throw new Error('The BSC sandbox has no token without a tax');
  return { token, contracts, chainId };
}

async function executorSwap(desk: TradingDesk): Promise<Swap> {
  const { token } = await marketOf(desk);
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

const routerAbi = parseAbi([
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
]);

/** What no swap can do without: a price, a signature, a send and its receipt. Nonce, gas and gas price are given. */
async function bareSwap({ sandbox, ...desk }: TradingDesk): Promise<Swap> {
  const { token, contracts, chainId } = await marketOf({ sandbox, ...desk });
  const account = privateKeyToAccount(generatePrivateKey());
  await sandbox.grant('bsc', { address: account.address, amountUnits: FUNDS });
  const client = createPublicClient({ transport: http(sandbox.rpcUrl('bsc')) });
  const router = getAddress(contracts.v2Router);
  const path = [getAddress(contracts.wbnb), getAddress(token.address)];
  let nonce = 0;

  return async () => {
    const amounts = await client.readContract({
      abi: routerAbi,
      address: router,
      functionName: 'getAmountsOut',
      args: [AMOUNT, path],
    });
    const minimumOut = ((amounts.at(-1) ?? 0n) * BigInt(10_000 - SLIPPAGE_BPS)) / 10_000n;
    const deadline = BigInt(Math.floor(Date.now() / 1000) + 120);
    const serializedTransaction = await account.signTransaction({
      type: 'legacy',
      chainId,
      nonce,
      gas: 250_000n,
      gasPrice: parseGwei('1'),
      to: router,
      value: AMOUNT,
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
        args: [minimumOut, path, account.address, deadline],
      }),
    });
    nonce += 1;
    const hash = await client.sendRawTransaction({ serializedTransaction });
    // The sandbox mines before it answers, so the receipt is there at once.
    const receipt = await client.getTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error('The bare swap was reverted');
  };
}
