import { decodeFunctionData, encodeAbiParameters, parseAbi, zeroAddress, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { BSC_CONTRACTS } from './contracts.ts';
import type { CallResult } from './multicall.ts';
import { createVenueV3 } from './venue-v3.ts';
import { bestOffer } from './venue.ts';

const token = '0x2222222222222222222222222222222222222222';
const recipient = '0x1111111111111111111111111111111111111111';
const abi = parseAbi([
  'struct SwapParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(SwapParams params) payable returns (uint256 amountOut)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function refundETH() payable',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
]);
const venue = createVenueV3(BSC_CONTRACTS[56]);
const order = { token, amountIn: 9n, minimumOut: 5n, recipient, deadline: 1n, feeTier: 500 } as const;

const quote = (amountOut: bigint, priceAfter: bigint): CallResult => ({
  success: true,
  data: encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint160' }, { type: 'uint32' }, { type: 'uint256' }],
    [amountOut, priceAfter, 1, 1n],
  ),
});
const best = (results: CallResult[]) => bestOffer(venue.offers(results));
const none: CallResult = { success: false, data: '0x' };

function callsIn(data: Hex): readonly ReturnType<typeof decodeFunctionData<typeof abi>>[] {
  const call = decodeFunctionData({ abi, data });
  return call.functionName === 'multicall'
    ? call.args[0].map((each) => decodeFunctionData({ abi, data: each }))
    : [call];
}

describe('the V3 venue', () => {
  it('offers the tier that pays most', () => {
    const results = [
      quote(7n, 2n ** 96n),
      none,
      quote(8n, 2n ** 96n),
      { success: true, data: '0x' } as const,
    ];
    expect(best(results)).toEqual({ amountOut: 8n, feeTier: 2500 });
    expect(best([none, none, none, none])).toBeUndefined();
  });

  it('left BNB in the router: does not offer a pool that runs out before it has taken the whole amount', () => {
    // TickMath's MIN_SQRT_RATIO + 1 and MAX_SQRT_RATIO - 1.
    const [lowest, highest] = [
      4295128739n + 1n,
      1461446703485210103287273052203988822378723970342n - 1n,
    ] as const;
    expect(best([quote(9n, lowest), quote(8n, highest), quote(7n, lowest + 1n), none])).toEqual({
      amountOut: 7n,
      feeTier: 2500,
    });
    expect(best([quote(9n, lowest), quote(8n, highest), none, none])).toBeUndefined();
  });

  it('takes back what a buy did not need, and unwraps what a sell brought, in the same transaction', () => {
    const buy = venue.swapCall({ ...order, action: 'buy' });
    expect(buy.value).toBe(9n);
    expect(callsIn(buy.data)).toMatchObject([
      { functionName: 'exactInputSingle', args: [{ recipient, amountIn: 9n, amountOutMinimum: 5n }] },
      { functionName: 'refundETH' },
    ]);
    const sell = venue.swapCall({ ...order, action: 'sell' });
    expect(sell.value).toBe(0n);
    expect(callsIn(sell.data)).toMatchObject([
      { functionName: 'exactInputSingle', args: [{ recipient: zeroAddress }] },
      { functionName: 'unwrapWETH9', args: [5n, recipient] },
    ]);
  });

  it('leaves the change where the caller could not be paid', () => {
    const { data } = venue.swapCall({ ...order, action: 'buy', leavesChange: true });
    expect(callsIn(data).map(({ functionName }) => functionName)).toEqual(['exactInputSingle']);
  });
});
