import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  numberToHex,
  parseAbi,
  type Hex,
} from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SwapRequest } from '../port.ts';
import { BSC_CONTRACTS } from './contracts.ts';
import { createDryRunner } from './dry-run.ts';
import { createFakeNode, failed, result } from './fake-node.ts';
import { prepareSwap } from './prepare-swap.ts';
import type { RpcAnswer, RpcCall } from './rpc-client.ts';
import { createSimulator } from './simulate.ts';
import { unsignedSchema } from './transaction.ts';
import { createVenueV2 } from './venue-v2.ts';
import { createVenueV3 } from './venue-v3.ts';

const contracts = BSC_CONTRACTS[56];
const buy: SwapRequest = {
  owner: '0x1111111111111111111111111111111111111111',
  action: 'buy',
  tokenAddress: '0x2222222222222222222222222222222222222222',
  amountInUnits: 1_000n,
  slippageBps: 100,
  dexVersion: 'v2',
};
const sell: SwapRequest = { ...buy, action: 'sell' };

const multicallAbi = parseAbi([
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value() payable returns (Result[] results)',
]);
const routerAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'struct SwapParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(SwapParams params) payable returns (uint256 amountOut)',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
]);
const uint = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value]);
const amounts = (out: bigint): Hex => encodeAbiParameters([{ type: 'uint256[]' }], [[1_000n, out]]);
const quote = (out: bigint): Hex =>
  encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint160' }, { type: 'uint32' }, { type: 'uint256' }],
    [out, 2n ** 96n, 1, 1n],
  );
const aggregated = (...data: Hex[]): RpcAnswer =>
  result(
    encodeFunctionResult({
      abi: multicallAbi,
      functionName: 'aggregate3Value',
      result: data.map((returnData) => ({ success: returnData !== '0x', returnData })),
    }),
  );

/** A pool that pays 500 for the amount, of which this much arrives; and what the owner's own calls come to. */
let arriving: bigint | undefined;
let answerToOwner: RpcAnswer;
let canDryRun: boolean;

/** Calls of the swap from the owner's account, as they were run. */
const ownRuns = (requests: readonly (readonly RpcCall[])[]) =>
  requests.flat().filter((call) => call.method === 'eth_call' && isFromOwner(call));

/** Balance and nonce are asked for along with them, in the same request (read-batches.ts). */
const requestsOfTheMarket = (requests: readonly (readonly RpcCall[])[]) =>
  requests.filter(([call]) => call?.method !== 'eth_getBalance');

function isFromOwner({ params: [message] }: RpcCall): boolean {
  if (typeof message !== 'object' || message === null || !('to' in message)) return false;
  return message.to === contracts.v2Router || message.to === contracts.v3Router;
}

function nodeAndSwaps(request: SwapRequest) {
  const isSell = request.action === 'sell';
  const rpc = createFakeNode((call): RpcAnswer => {
    if (call.method === 'eth_getTransactionCount') return result('0x5');
    if (call.method === 'eth_getBalance') return result(numberToHex(10n ** 18n));
    if (call.method === 'eth_estimateGas') return answerToOwner.ok ? result('0x186a0') : answerToOwner;
    if (call.method === 'eth_getCode') return result('0xfe');
    if (isFromOwner(call)) return answerToOwner;
    const [message] = call.params;
    const isDryRun = typeof message === 'object' && message !== null && 'from' in message;
    const isV3 = request.dexVersion === 'v3';
    const prices: Hex[] = isV3 ? ['0x', '0x', quote(500n), '0x'] : [amounts(500n)];
    const holdings = isSell ? [uint(10n ** 6n), uint(10n ** 6n)] : [];
    const answers = [uint(60n), ...holdings, ...prices];
    if (!isDryRun) return aggregated(...answers);
    if (!canDryRun) return failed(-32_000, 'insufficient funds for transfer');
    const swapped = arriving === undefined ? '0x' : uint(0n);
    const steps = isSell ? [uint(1n), swapped] : [swapped];
    return aggregated(...(isV3 ? [] : answers), uint(7n), ...steps, uint(7n + (arriving ?? 0n)));
  });
  const dependencies = {
    chainId: 56,
    rpc,
    contracts,
    venues: { v2: createVenueV2(contracts), v3: createVenueV3(contracts) },
    dryRunner: createDryRunner({ rpc, contracts }),
    simulator: createSimulator(rpc),
    gasPrice: { priceFor: async () => 1_000n },
    deadlineSec: 120,
    now: () => 0,
  };
  return {
    requests: rpc.requests,
    prepare: (accountHeld?: Promise<void>) => prepareSwap(dependencies, request, undefined, accountHeld),
  };
}

/** The minimum that a router is told, and the time after which it refuses. */
function boundsOf(data: Hex): { minimumOut: bigint; deadline: bigint } {
  const call = decodeFunctionData({ abi: routerAbi, data });
  if (call.functionName === 'multicall') return boundsOf(call.args[0][0] ?? '0x');
  if (call.functionName === 'exactInputSingle') {
    const [{ amountOutMinimum, deadline }] = call.args;
    return { minimumOut: amountOutMinimum, deadline };
  }
  return { minimumOut: call.args[0], deadline: call.args[3] };
}

beforeEach(() => {
  arriving = 500n;
  canDryRun = true;
  answerToOwner = result('0x');
});

describe('a buy of a kind met before', () => {
  it.each([
    ['v2', 1],
    ['v3', 2],
  ] as const)('is priced, measured and run on %s in %i round trips', async (dexVersion, roundTrips) => {
    const { requests, prepare } = nodeAndSwaps({ ...buy, dexVersion });
    const first = unsignedSchema.parse((await prepare()).unsigned);
    expect(ownRuns(requests)).toEqual([]);
    requests.length = 0;

    const next = await prepare();
    expect(requestsOfTheMarket(requests)).toHaveLength(roundTrips);
    expect(ownRuns(requests)).toHaveLength(1);
    expect(unsignedSchema.parse(next.unsigned)).toEqual(first);
    expect(next.quote).toMatchObject({ expectedOutUnits: 500n, minimumOutUnits: 495n });
    // What is sent has its bounds, whatever it was run with.
    expect(boundsOf(first.data)).toEqual({ minimumOut: 495n, deadline: 180n });
  });

  it('is run again as it will be sent where what arrives could not be measured', async () => {
    const { requests, prepare } = nodeAndSwaps(buy);
    await prepare();
    requests.length = 0;
    arriving = undefined;
    const { unsigned } = await prepare();
    expect(requestsOfTheMarket(requests)).toHaveLength(2);
    expect(ownRuns(requests).at(-1)?.params[0]).toMatchObject({ data: unsignedSchema.parse(unsigned).data });
  });

  it('is priced alone where it can’t be tried', async () => {
    const { prepare } = nodeAndSwaps(buy);
    canDryRun = false;
    const { quote } = await prepare();
    expect(quote).toMatchObject({ expectedOutUnits: 500n, minimumOutUnits: 495n });
  });

  it('asks what another transaction could change only when the account is held', async () => {
    const { requests, prepare } = nodeAndSwaps(buy);
    const held = Promise.withResolvers<void>();
    const preparing = prepare(held.promise);
    const ofTheAccount = () =>
      requests.flat().filter(({ method }) => /getBalance|getTransactionCount/.test(method));
    await expect.poll(() => requests.length).toBeGreaterThan(0);
    expect(ofTheAccount()).toEqual([]);
    held.resolve();
    expect(unsignedSchema.parse((await preparing).unsigned).nonce).toBe(5);
    expect(ofTheAccount()).toHaveLength(2);
  });

  it('is refused with the chain’s reason when its run fails', async () => {
    const { prepare } = nodeAndSwaps(buy);
    await prepare();
    answerToOwner = failed(3, 'execution reverted: TransferHelper: TRANSFER_FAILED');
    await expect(prepare()).rejects.toMatchObject({ code: 'TRANSFER_FAILED' });
  });

  it('is refused when too little of it arrives', async () => {
    const { prepare } = nodeAndSwaps(buy);
    await prepare();
    arriving = 370n;
    await expect(prepare()).rejects.toMatchObject({ code: 'TAX_EXCESSIVE' });
  });
});

it('a sell asks nothing before the account is held', async () => {
  const { requests, prepare } = nodeAndSwaps(sell);
  const held = Promise.withResolvers<void>();
  const preparing = prepare(held.promise);
  await new Promise((resolve) => setImmediate(resolve));
  expect(requests).toEqual([]);
  held.resolve();
  await preparing;
});

it('a sell is always run as it will be sent: its dry run is from an account with code, which a token may notice', async () => {
  const { requests, prepare } = nodeAndSwaps(sell);
  await prepare();
  requests.length = 0;
  const { unsigned } = await prepare();
  const { data } = unsignedSchema.parse(unsigned);
  expect(ownRuns(requests).map(({ params: [message] }) => message)).toMatchObject([{ data }]);
});
