import { encodeFunctionData, erc20Abi, maxUint256, parseEther, zeroAddress, type Address } from 'viem';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startBscSandbox, type BscSandbox } from '../src/bsc/start.ts';
import {
  chain,
  fundedAccount,
  gasPrice,
  inAMinute,
  publicClient,
  startForTest,
  v2Abi,
  v3Abi,
  walletClient,
} from './bsc-kit.ts';

describe('the market of the BSC sandbox', () => {
  let directory: string;
  let sandbox: BscSandbox;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'kervan-bsc-market-'));
    sandbox = await startBscSandbox({ dataDir: directory, port: 0 });
  });
  afterAll(async () => {
    await sandbox.close();
    await rm(directory, { recursive: true, force: true });
  });

  function token(symbol: string): BscSandbox['tokens'][number] {
    const found = sandbox.tokens.find((candidate) => candidate.symbol === symbol);
    if (!found) throw new Error(`No token ${symbol}`);
    return found;
  }

  const balanceOf = (address: Address, owner: Address): Promise<bigint> =>
    publicClient(sandbox.url).readContract({
      abi: erc20Abi,
      address,
      functionName: 'balanceOf',
      args: [owner],
    });

  async function quoteV2(amountIn: bigint, route: Address[]): Promise<bigint> {
    const amounts = await publicClient(sandbox.url).readContract({
      abi: v2Abi,
      address: sandbox.contracts.v2Router,
      functionName: 'getAmountsOut',
      args: [amountIn, route],
    });
    return amounts.at(-1) ?? 0n;
  }

  async function quoteV3(
    tokenIn: Address,
    tokenOut: Address,
    amountIn: bigint,
    fee: number,
  ): Promise<bigint> {
    const { result } = await publicClient(sandbox.url).simulateContract({
      abi: v3Abi,
      address: sandbox.contracts.v3Quoter,
      functionName: 'quoteExactInputSingle',
      args: [{ tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n }],
    });
    return result[0];
  }

  it('has at least four tokens, with Multicall3 at its usual address naming them all', async () => {
    const calls = sandbox.tokens.flatMap(({ address }) => [
      { abi: erc20Abi, address, functionName: 'symbol' as const },
      { abi: erc20Abi, address, functionName: 'decimals' as const },
    ]);
    const answers = await publicClient(sandbox.url).multicall({ contracts: calls, allowFailure: false });
    expect(answers).toEqual(sandbox.tokens.flatMap(({ symbol, decimals }) => [symbol, decimals]));
    expect(sandbox.tokens.length).toBeGreaterThanOrEqual(4);
    expect(sandbox.tokens.filter(({ taxBps }) => taxBps > 0)).toHaveLength(1);
  });

  it('gives on V2 exactly what it quoted, both ways', async () => {
    const { wbnb, v2Router } = sandbox.contracts;
    const account = await fundedAccount(sandbox.url);
    const wallet = walletClient(sandbox.url, account);
    const client = publicClient(sandbox.url);
    for (const { address, taxBps } of sandbox.tokens.filter((candidate) => candidate.taxBps === 0)) {
      expect(taxBps).toBe(0);
      const bought = await quoteV2(parseEther('1'), [wbnb, address]);
      await wallet.writeContract({
        abi: v2Abi,
        address: v2Router,
        functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
        args: [bought, [wbnb, address], account.address, inAMinute()],
        value: parseEther('1'),
      });
      expect(await balanceOf(address, account.address)).toBe(bought);

      await wallet.writeContract({
        abi: erc20Abi,
        address,
        functionName: 'approve',
        args: [v2Router, bought],
      });
      const sold = await quoteV2(bought, [address, wbnb]);
      const before = await client.getBalance({ address: account.address });
      const hash = await wallet.writeContract({
        abi: v2Abi,
        address: v2Router,
        functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
        args: [bought, sold, [address, wbnb], account.address, inAMinute()],
        gasPrice,
      });
      const receipt = await client.getTransactionReceipt({ hash });
      const after = await client.getBalance({ address: account.address });
      expect(after - before + receipt.gasUsed * gasPrice).toBe(sold);
    }
  });

  it('gives on V3 exactly what the quoter said, both ways, and in native coin by unwrapping', async () => {
    const { wbnb, v3Router } = sandbox.contracts;
    const cake = token('sCAKE').address;
    const account = await fundedAccount(sandbox.url);
    const wallet = walletClient(sandbox.url, account);
    const client = publicClient(sandbox.url);
    const amountIn = parseEther('1');
    const bought = await quoteV3(wbnb, cake, amountIn, 2500);
    const swap = { fee: 2500, deadline: inAMinute(), sqrtPriceLimitX96: 0n };
    await wallet.writeContract({
      abi: v3Abi,
      address: v3Router,
      functionName: 'exactInputSingle',
      args: [
        {
          ...swap,
          tokenIn: wbnb,
          tokenOut: cake,
          recipient: account.address,
          amountIn,
          amountOutMinimum: bought,
        },
      ],
      value: amountIn,
    });
    expect(await balanceOf(cake, account.address)).toBe(bought);

    await wallet.writeContract({
      abi: erc20Abi,
      address: cake,
      functionName: 'approve',
      args: [v3Router, maxUint256],
    });
    const sold = await quoteV3(cake, wbnb, bought, 2500);
    const before = await client.getBalance({ address: account.address });
    const hash = await wallet.writeContract({
      abi: v3Abi,
      address: v3Router,
      functionName: 'multicall',
      args: [
        [
          encodeFunctionData({
            abi: v3Abi,
            functionName: 'exactInputSingle',
            args: [
              {
                ...swap,
                tokenIn: cake,
                tokenOut: wbnb,
                recipient: zeroAddress,
                amountIn: bought,
                amountOutMinimum: sold,
              },
            ],
          }),
          encodeFunctionData({ abi: v3Abi, functionName: 'unwrapWETH9', args: [sold, account.address] }),
        ],
      ],
      gasPrice,
    });
    const receipt = await client.getTransactionReceipt({ hash });
    const after = await client.getBalance({ address: account.address });
    expect(after - before + receipt.gasUsed * gasPrice).toBe(sold);
  });

  it('makes the cheap V3 tier best for small amounts and the deep one for large amounts', async () => {
    const { wbnb } = sandbox.contracts;
    const cake = token('sCAKE').address;
    const best = async (amount: bigint): Promise<number> => {
      const quotes = await Promise.all(
        [500, 2500, 10_000].map(async (fee) => ({ fee, out: await quoteV3(wbnb, cake, amount, fee) })),
      );
      return quotes.reduce((one, other) => (other.out > one.out ? other : one)).fee;
    };
    expect(await best(parseEther('1'))).toBe(500);
    expect(await best(parseEther('2000'))).toBe(2500);
  });

  it('keeps the tax of the taxed token from what a buyer receives', async () => {
    const { wbnb, v2Router } = sandbox.contracts;
    const { address, taxBps } = token('sTAX');
    const account = await fundedAccount(sandbox.url);
    const quoted = await quoteV2(parseEther('1'), [wbnb, address]);
    const afterTax = quoted - (quoted * BigInt(taxBps)) / 10_000n;
    await walletClient(sandbox.url, account).writeContract({
      abi: v2Abi,
      address: v2Router,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [afterTax, [wbnb, address], account.address, inAMinute()],
      value: parseEther('1'),
    });
    expect(await balanceOf(address, account.address)).toBe(afterTax);
  });

  it('enforces the minimum output and the deadline, in simulation and on chain', async () => {
    const { wbnb, v2Router } = sandbox.contracts;
    const usd = token('sUSD').address;
    const account = await fundedAccount(sandbox.url);
    const quoted = await quoteV2(parseEther('1'), [wbnb, usd]);
    const swap = (minimum: bigint, deadline: bigint) => ({
      abi: v2Abi,
      address: v2Router,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens' as const,
      args: [minimum, [wbnb, usd], account.address, deadline] as const,
      value: parseEther('1'),
      account,
    });
    const client = publicClient(sandbox.url);
    await expect(client.simulateContract(swap(quoted + 1n, inAMinute()))).rejects.toThrow(
      'INSUFFICIENT_OUTPUT_AMOUNT',
    );
    await expect(client.simulateContract(swap(quoted, 1n))).rejects.toThrow('EXPIRED');
    const hash = await walletClient(sandbox.url, account).writeContract({
      ...swap(quoted + 1n, inAMinute()),
      chain,
      gas: 300_000n,
    });
    expect((await client.getTransactionReceipt({ hash })).status).toBe('reverted');
    expect(await balanceOf(usd, account.address)).toBe(0n);
  });

  it('has the same addresses in every sandbox', async () => {
    const other = await startForTest();
    expect(other.contracts).toEqual(sandbox.contracts);
    expect(other.tokens).toEqual(sandbox.tokens);
  });
});
