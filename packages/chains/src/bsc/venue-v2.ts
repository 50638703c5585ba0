import { decodeFunctionResult, encodeFunctionData, parseAbi, prepareEncodeFunctionData } from 'viem';
import type { BscContracts } from './contracts.ts';
import type { Venue } from './venue.ts';

const abi = parseAbi([
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
]);

// A selector is a hash of the signature: made once.
const getAmountsOut = prepareEncodeFunctionData({ abi, functionName: 'getAmountsOut' });
const swapToTokens = prepareEncodeFunctionData({
  abi,
  functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
});
const swapToNative = prepareEncodeFunctionData({
  abi,
  functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
});

/**
 * PancakeSwap V2 by its router (docs.pancakeswap.finance, Router v2): the direct pair of WBNB and the token.
 * Always the functions that allow for a transfer tax: they check what really arrived.
 */
export function createVenueV2(contracts: BscContracts): Venue {
  const { wbnb, v2Router: router } = contracts;
  return {
    router,
    hasOneRoute: true,
    minimumIsOf: 'arrival',
    priceCalls({ action, token, amountIn }) {
      const path = action === 'buy' ? [wbnb, token] : [token, wbnb];
      const data = encodeFunctionData({ ...getAmountsOut, args: [amountIn, path] });
      return [{ to: router, data, value: 0n }];
    },
    offers([result]) {
      if (!result?.success) return [];
      const amounts = decodeFunctionResult({ abi, functionName: 'getAmountsOut', data: result.data });
      const amountOut = amounts.at(-1) ?? 0n;
      return amountOut > 0n ? [{ amountOut, feeTier: 0 }] : [];
    },
    swapCall({ action, token, amountIn, minimumOut, recipient, deadline }) {
      if (action === 'buy') {
        const data = encodeFunctionData({
          ...swapToTokens,
          args: [minimumOut, [wbnb, token], recipient, deadline],
        });
        return { to: router, data, value: amountIn };
      }
      const data = encodeFunctionData({
        ...swapToNative,
        args: [amountIn, minimumOut, [token, wbnb], recipient, deadline],
      });
      return { to: router, data, value: 0n };
    },
  };
}
