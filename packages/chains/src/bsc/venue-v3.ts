import {
  encodeFunctionData,
  parseAbi,
  prepareEncodeFunctionData,
  size,
  slice,
  zeroAddress,
  type Hex,
} from 'viem';
import type { BscContracts } from './contracts.ts';
import { readUint, type CallResult } from './multicall.ts';
import type { Venue } from './venue.ts';

const quoterAbi = parseAbi([
  'struct QuoteParams { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(QuoteParams params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
]);
const routerAbi = parseAbi([
  'struct SwapParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(SwapParams params) payable returns (uint256 amountOut)',
  'function refundETH() payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
]);

// A selector is a hash of the signature: made once.
const quoteSingle = prepareEncodeFunctionData({ abi: quoterAbi, functionName: 'quoteExactInputSingle' });
const swapSingle = prepareEncodeFunctionData({ abi: routerAbi, functionName: 'exactInputSingle' });
const unwrap = prepareEncodeFunctionData({ abi: routerAbi, functionName: 'unwrapWETH9' });
const multicall = prepareEncodeFunctionData({ abi: routerAbi, functionName: 'multicall' });
const refund = encodeFunctionData({ abi: routerAbi, functionName: 'refundETH' });

/** PancakeSwap V3's fee tiers, in hundredths of a basis point. */
const feeTiers = [100, 500, 2500, 10_000] as const;

/** Where a swap without a price limit of its own stops: the router's limit, one inside TickMath's range. */
const priceLimits = [4_295_128_740n, 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n];

/**
 * PancakeSwap V3: QuoterV2 over all fee tiers, the swap through SwapRouter in the best one. A sell leaves its
 * WBNB in the router (recipient 0) and unwraps it to the wallet in the same transaction. A pool whose liquidity runs
 * out takes only part of what it is given: such quotes are not offers, and should it happen between quote and
 * landing, a buy takes the rest back from the router, where anyone could.
 */
export function createVenueV3(contracts: BscContracts): Venue {
  const { wbnb, v3Quoter, v3Router: router } = contracts;
  return {
    router,
    hasOneRoute: false,
    minimumIsOf: 'output',
    priceCalls({ action, token, amountIn }) {
      const [tokenIn, tokenOut] = action === 'buy' ? [wbnb, token] : [token, wbnb];
      return feeTiers.map((fee) => ({
        to: v3Quoter,
        data: encodeFunctionData({
          ...quoteSingle,
          args: [{ tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n }],
        }),
        value: 0n,
      }));
    },
    offers(results) {
      return feeTiers.flatMap((feeTier, index) => {
        const amountOut = readWholeQuote(results[index]) ?? 0n;
        return amountOut > 0n ? [{ amountOut, feeTier }] : [];
      });
    },
    swapCall({ action, token, amountIn, minimumOut, recipient, deadline, feeTier, leavesChange = false }) {
      const [tokenIn, tokenOut] = action === 'buy' ? [wbnb, token] : [token, wbnb];
      const swap = encodeFunctionData({
        ...swapSingle,
        args: [
          {
            tokenIn,
            tokenOut,
            fee: feeTier,
            recipient: action === 'buy' ? recipient : zeroAddress,
            deadline,
            amountIn,
            amountOutMinimum: minimumOut,
            sqrtPriceLimitX96: 0n,
          },
        ],
      });
      if (action === 'buy') {
        return { to: router, data: leavesChange ? swap : inOne(swap, refund), value: amountIn };
      }
      const unwrapping = encodeFunctionData({ ...unwrap, args: [minimumOut, recipient] });
      return { to: router, data: inOne(swap, unwrapping), value: 0n };
    },
  };
}

function inOne(...calls: Hex[]): Hex {
  return encodeFunctionData({ ...multicall, args: [calls] });
}

/** A quote's output, if the pool takes the whole amount for it: if it does not, the price ends at its limit. */
function readWholeQuote(result: CallResult | undefined): bigint | undefined {
  if (!result?.success || size(result.data) < 64) return undefined;
  const priceAfter = BigInt(slice(result.data, 32, 64));
  return priceLimits.includes(priceAfter) ? undefined : readUint(result);
}
