import { createPublicClient, encodeFunctionData, getAddress, http, parseAbi, parseGwei } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { SandboxClient } from '../../apps/server/src/engine/sandbox-client.ts';
import type { Swap } from './swap-race.ts';

const routerAbi = parseAbi([
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
]);

/** The token that the BSC benchmarks trade. */
export async function untaxedToken(sandbox: SandboxClient) {
  const { tokens } = await sandbox.bsc();
  const token = tokens.find(({ taxBps }) => taxBps === 0);
  if (!token) throw new Error('The BSC sandbox has no token without a tax');
  return token;
}

/**
 * V2 buys of one new account by a bare viem script. What no swap can do without: a price, a signature, a send and its
 * receipt. Nonce, gas and gas price are given.
 */
export async function bareBscSwap(
  sandbox: SandboxClient,
  terms: { readonly fundsWei: bigint; readonly amountWei: bigint; readonly slippageBps: number },
): Promise<Swap> {
  const { fundsWei, amountWei, slippageBps } = terms;
  const [{ contracts, chainId }, token] = await Promise.all([sandbox.bsc(), untaxedToken(sandbox)]);
  const account = privateKeyToAccount(generatePrivateKey());
  await sandbox.grant('bsc', { address: account.address, amountUnits: fundsWei });
  const client = createPublicClient({ transport: http(sandbox.rpcUrl('bsc')) });
  const router = getAddress(contracts.v2Router);
  const path = [getAddress(contracts.wbnb), getAddress(token.address)];
  let nonce = 0;

  return async () => {
    const amounts = await client.readContract({
      abi: routerAbi,
      address: router,
      functionName: 'getAmountsOut',
      args: [amountWei, path],
    });
    const minimumOut = ((amounts.at(-1) ?? 0n) * BigInt(10_000 - slippageBps)) / 10_000n;
    const deadline = BigInt(Math.floor(Date.now() / 1000) + 120);
    const serializedTransaction = await account.signTransaction({
      type: 'legacy',
      chainId,
      nonce,
      gas: 250_000n,
      gasPrice: parseGwei('1'),
      to: router,
      value: amountWei,
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
