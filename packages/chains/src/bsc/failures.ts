import type { ErrorCode } from '@kervan/contract';
import { decodeErrorResult, isHex, parseAbi, type Hex } from 'viem';
import type { ChainFailure } from '../port.ts';
import { printable } from '../printable.ts';
import type { RpcError } from './rpc-client.ts';

const knownErrors = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
]);

/**
 * What routers, pools and tokens revert with, and what it means. PancakeSwap's contracts give words only:
 * V2 prefixes them with PancakeRouter, PancakeLibrary or Pancake (UniswapV2… in the sandbox), V3 as quoted.
 */
const meanings: readonly (readonly [RegExp, ErrorCode])[] = [
  [
    /INSUFFICIENT_OUTPUT_AMOUNT|Too little received|Too much requested|Insufficient WETH9/,
    'SLIPPAGE_EXCEEDED',
  ],
  [/: EXPIRED$|Transaction too old/, 'TRANSACTION_EXPIRED'],
  [/INSUFFICIENT_LIQUIDITY|INSUFFICIENT_INPUT_AMOUNT|INVALID_PATH|^(?:SPL|AS|L)$/, 'ROUTE_UNAVAILABLE'],
  [/TRANSFER_FAILED|TRANSFER_FROM_FAILED|^(?:STF|ST|TF|IIA|STE)$|: K$/, 'TRANSFER_FAILED'],
  [/ERC20|BEP20|transfer/i, 'TRANSFER_FAILED'],
];

const noReason = 'no reason given';

/** The words of a revert: its reason, the name of a known error, or the selector of an unknown one. */
export function revertReason(data: Hex): string {
  if (data.length < 10) return noReason;
  try {
    const error = decodeErrorResult({ abi: knownErrors, data });
    if (error.errorName === 'Error') return worded(error.args[0]);
    return error.errorName === 'Panic' ? `panic 0x${error.args[0].toString(16)}` : error.errorName;
  } catch {
    return `custom error ${data.slice(0, 10)}`;
  }
}

// An assertion of older Solidity is an invalid opcode, which geth and anvil name each in its own way.
const ranAndFailed = /revert|out of gas|gas required exceeds|invalid ?(?:fe ?)?opcode/i;

/** Whether the node ran the call and it reverted, as opposed to the node refusing to run it. */
export function isRevert(error: RpcError): boolean {
  return error.code === 3 || isHex(error.data) || ranAndFailed.test(error.message);
}

/** Why a simulated call failed, from the node's error. */
export function simulationFailure(error: RpcError): ChainFailure {
  return failureOf(reasonOfError(error), 'SIMULATION_FAILED');
}

/** Why a transaction that landed was reverted, from the error of its replay. */
export function landedFailure(reason: string): ChainFailure {
  return failureOf(reason, 'TRANSACTION_REVERTED');
}

export function reasonOfError(error: RpcError): string {
  if (isHex(error.data) && error.data.length >= 10) return revertReason(error.data);
  const words = error.message.replace(/^.*execution reverted:? ?/i, '');
  return worded(words);
}

function failureOf(reason: string, otherwise: ErrorCode): ChainFailure {
  const meaning = meanings.find(([pattern]) => pattern.test(reason));
  return { code: meaning?.[1] ?? otherwise, context: { reason } };
}

/** A token's author writes the reason, and it is stored and shown. */
function worded(text: string): string {
  return printable(text).trim() || noReason;
}
