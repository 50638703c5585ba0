import { encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import type { BscContracts } from './contracts.ts';
import { readUint } from './multicall.ts';
import type { Offer, Venue } from './venue.ts';

const quoterAbi = parseAbi([
  'struct QuoteParams { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(QuoteParams params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
]);
const routerAbi = parseAbi([
  'struct SwapParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(SwapParams params) payable returns (uint256 amountOut)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
]);

/** PancakeSwap V3's fee tiers, in hundredths of a basis point. */
const feeTiers = [100, 500, 2500, 10_000] as const;

/**
 * PancakeSwap V3: QuoterV2 over all fee tiers, the swap through SwapRouter in the best one. A sell leaves its
 * WBNB in the router (recipient 0) and unwraps it to the wallet in the same transaction.
 */
export function createVenueV3(contracts: BscContracts): Venue {
  const { wbnb, v3Quoter, v3Router: router } = contracts;
  return {
    router,
    hasOneRoute: false,
    priceCalls({ action, token, amountIn }) {
      const [tokenIn, tokenOut] = action === 'buy' ? [wbnb, token] : [token, wbnb];
      return feeTiers.map((fee) => ({
        to: v3Quoter,
        data: encodeFunctionData({
          abi: quoterAbi,
          functionName: 'quoteExactInputSingle',
          args: [{ tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n }],
        }),
        value: 0n,
      }));
    },
    bestOffer(results) {
      let best: Offer | undefined;
      for (const [index, feeTier] of feeTiers.entries()) {
        const amountOut = readUint(results[index]) ?? 0n;
        if (amountOut > (best?.amountOut ?? 0n)) best = { amountOut, feeTier };
      }
      return best;
    },
    swapCall({ action, token, amountIn, minimumOut, recipient, deadline, feeTier }) {
      const [tokenIn, tokenOut] = action === 'buy' ? [wbnb, token] : [token, wbnb];
      const swap = encodeFunctionData({
        abi: routerAbi,
        functionName: 'exactInputSingle',
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
      if (action === 'buy') return { to: router, data: swap, value: amountIn };
      const unwrap = encodeFunctionData({
        abi: routerAbi,
        functionName: 'unwrapWETH9',
        args: [minimumOut, recipient],
      });
      const data = encodeFunctionData({ abi: routerAbi, functionName: 'multicall', args: [[swap, unwrap]] });
      return { to: router, data, value: 0n };
    },
  };
}
