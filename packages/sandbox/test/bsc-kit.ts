import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  parseAbi,
  parseEther,
  zeroAddress,
  type Address,
  type Hex,
  type PrivateKeyAccount,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { onTestFinished } from 'vitest';
import type { Retention } from '../src/bsc/ledger.ts';
import { startBscSandbox, type BscSandbox } from '../src/bsc/start.ts';

export const gasPrice = 1_000_000_000n;

export const chain = defineChain({
  id: 31_337,
  name: 'BSC sandbox',
  nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
  rpcUrls: { default: { http: [] } },
  contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
});

export const v2Abi = parseAbi([
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
]);

export const v3Abi = parseAbi([
  'struct QuoteParams { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(QuoteParams params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
  'struct SwapParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(SwapParams params) payable returns (uint256 amountOut)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
]);

/** A fresh directory that is gone after the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'kervan-bsc-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export async function startForTest(
  options: { dataDir?: string } & Partial<Retention> = {},
): Promise<BscSandbox> {
  const sandbox = await startBscSandbox({
    dataDir: options.dataDir ?? (await temporaryDirectory()),
    port: 0,
    retention: { snapshotEvery: options.snapshotEvery ?? 2_000, keptBlocks: options.keptBlocks ?? 1_000 },
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

export function publicClient(url: string) {
  return createPublicClient({
    chain,
    transport: http(url, { retryCount: 0 }),
    pollingInterval: 10,
    cacheTime: 0,
  });
}

export function walletClient(url: string, account: PrivateKeyAccount) {
  return createWalletClient({ account, chain, transport: http(url, { retryCount: 0 }) });
}

/** JSON-RPC without a client in between; the answer is returned as it is. */
export async function rpc(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<{ result?: unknown; error?: { code: number; message: string } }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  // The tests look at exactly these two members.
  return (await response.json()) as { result?: unknown; error?: { code: number; message: string } };
}

/** Calls a control route and returns status and body. */
export async function control(
  url: string,
  method: 'GET' | 'POST' | 'PUT',
  route: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${route}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** A new account with that much BNB from the faucet. */
export async function fundedAccount(url: string, bnb = '10'): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  const grant = { address: account.address, amount: parseEther(bnb).toString() };
  const { status } = await control(url, 'POST', '/sandbox/faucet', grant);
  if (status !== 200) throw new Error(`The faucet answered ${status}`);
  return account;
}

/** A signed transfer of one wei. */
export function signTransfer(
  account: PrivateKeyAccount,
  nonce: number,
  to: Address = zeroAddress,
): Promise<Hex> {
  return account.signTransaction({
    type: 'legacy',
    chainId: chain.id,
    gasPrice,
    gas: 21_000n,
    nonce,
    to,
    value: 1n,
  });
}

export const inAMinute = (): bigint => BigInt(Math.floor(Date.now() / 1000) + 60);
