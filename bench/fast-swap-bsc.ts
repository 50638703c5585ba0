import { routes } from '@kervan/contract';
import {
  createPublicClient,
  encodeFunctionData,
  getAddress,
  http,
  parseAbi,
  parseEther,
  parseGwei,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { createSandboxClient, type SandboxClient } from '../apps/server/src/engine/sandbox-client.ts';
import { createApiClient } from '../e2e/lib/api-client.ts';
import { withStack } from './lib/bench-stack.ts';
import type { BenchOptions } from './lib/options.ts';
import type { Figure } from './lib/report.ts';
import { raceSwaps, type Swap } from './lib/swap-race.ts';
import { withTemporaryFolder } from './lib/temporary-folder.ts';

const WALLETS = 50;
const PAIRS = 30;
/** Enough for all rounds; each spends a hundredth of what is there. */
const FUNDS = parseEther('10');
const AMOUNT = parseEther('0.05');

/** A fast swap of 50 wallets, from the request to its answer, against a bare viem script on the same node. */
export async function fastSwapBsc(options: BenchOptions): Promise<Figure[]> {
  return await withTemporaryFolder((folder) =>
    withStack(folder, options, async ({ url, sandboxPorts }) => {
      if (!sandboxPorts) throw new Error('The stack has no sandbox');
      const { solana: solanaPort, bsc: bscPort } = sandboxPorts;
      const sandbox = createSandboxClient({ solanaPort, bscPort });
      return await raceSwaps({
        claim: `BSC fast swap of ${WALLETS} wallets`,
        pairs: options.pairs ?? PAIRS,
        ours: await fastSwap(url, sandbox),
        bare: await bareScript(sandbox),
        maxRatio: 1.3,
      });
    }),
  );
}

async function tokenOf(sandbox: SandboxClient) {
  const { tokens } = await sandbox.bsc();
  const token = tokens.find(({ taxBps }) => taxBps === 0);
  if (!token) throw new Error('The BSC sandbox has no token without a tax');
  return token;
}

/** As a client asks for it: one call, answered when the last of its trades has ended. */
async function fastSwap(url: string, sandbox: SandboxClient): Promise<Swap> {
  const api = createApiClient(url);
  const session = await api.call(routes.register, { body: { username: 'bench', password: 'bench-bench' } });
  api.signIn(session.access_token);
  const walletIds: string[] = [];
  for (let index = 0; index < WALLETS; index++) {
    const { id, address } = await api.call(routes.createBscWallet, { body: { name: `bench ${index}` } });
    await sandbox.grant('bsc', { address, amountUnits: FUNDS });
    walletIds.push(id);
  }
  const { address: tokenAddress } = await tokenOf(sandbox);
  return async () => {
    const { signatures, failed } = await api.call(routes.bscFastSwap, {
      body: { mode: 'buy', tokenAddress, walletIds, percent: 1, gasPrice: 'standard', slippageBps: 10 },
    });
    if (signatures.length !== WALLETS) throw new Error(`${WALLETS} swaps wanted: ${JSON.stringify(failed)}`);
  };
}

const routerAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
]);

/** Swaps that are planned already, minimum, nonce, gas and gas price: what is left is to sign, send and see. */
async function bareScript(sandbox: SandboxClient): Promise<Swap> {
  const { contracts, chainId } = await sandbox.bsc();
  const { address: token } = await tokenOf(sandbox);
  const client = createPublicClient({ transport: http(sandbox.rpcUrl('bsc')) });
  const accounts = Array.from({ length: WALLETS }, () => privateKeyToAccount(generatePrivateKey()));
  for (const { address } of accounts) await sandbox.grant('bsc', { address, amountUnits: FUNDS });
  const path = [getAddress(contracts.wbnb), getAddress(token)];
  let nonce = 0;

  async function swap(account: PrivateKeyAccount): Promise<void> {
    const deadline = BigInt(Math.floor(Date.now() / 1000) + 120);
    const serializedTransaction = await account.signTransaction({
      type: 'legacy',
      chainId,
      nonce,
      gas: 250_000n,
      gasPrice: parseGwei('1'),
      to: getAddress(contracts.v2Router),
      value: AMOUNT,
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
        args: [1n, path, account.address, deadline],
      }),
    });
    const hash = await client.sendRawTransaction({ serializedTransaction });
    // The sandbox mines before it answers, so the receipt is there at once.
    const receipt = await client.getTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error('The bare swap was reverted');
  }

  return async () => {
    await Promise.all(accounts.map(swap));
    nonce += 1;
  };
}
