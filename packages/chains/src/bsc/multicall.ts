import {
  decodeFunctionResult,
  encodeFunctionData,
  parseAbi,
  prepareEncodeFunctionData,
  type Address,
  type Hex,
} from 'viem';
import type { ContractCall } from './rpc-calls.ts';

const abi = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value(Call[] calls) payable returns (Result[] results)',
  'function getEthBalance(address owner) view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
]);

// Part of every swap. A selector is a hash of the signature: made once.
const aggregate3Value = prepareEncodeFunctionData({ abi, functionName: 'aggregate3Value' });
const getEthBalance = prepareEncodeFunctionData({ abi, functionName: 'getEthBalance' });
const getCurrentBlockTimestamp = encodeFunctionData({ abi, functionName: 'getCurrentBlockTimestamp' });

/** What one call of a multicall answered: returned data, or the data it reverted with. */
export interface CallResult {
  readonly success: boolean;
  readonly data: Hex;
}

/** Several calls as one, in order, each allowed to fail (Multicall3, github.com/mds1/multicall). */
export function aggregate(multicall3: Address, calls: readonly ContractCall[]): ContractCall {
  const data = encodeFunctionData({
    ...aggregate3Value,
    args: [calls.map(({ to, data, value }) => ({ target: to, allowFailure: true, value, callData: data }))],
  });
  return { to: multicall3, data, value: calls.reduce((sum, call) => sum + call.value, 0n) };
}

export function readAggregate(data: Hex): CallResult[] {
  const results = decodeFunctionResult({ abi, functionName: 'aggregate3Value', data });
  return results.map(({ success, returnData }) => ({ success, data: returnData }));
}

/** The native balance of an account, asked inside a multicall. */
export function nativeBalanceCall(multicall3: Address, owner: Address): ContractCall {
  const data = encodeFunctionData({ ...getEthBalance, args: [owner] });
  return { to: multicall3, data, value: 0n };
}

/** The time of the block that a multicall sees, in seconds. */
export function blockTimeCall(multicall3: Address): ContractCall {
  return { to: multicall3, data: getCurrentBlockTimestamp, value: 0n };
}

/** The first word that a call returned as a number; undefined if it failed or returned less. */
export function readUint(result: CallResult | undefined): bigint | undefined {
  if (!result?.success || result.data.length < 66) return undefined;
  return BigInt(result.data.slice(0, 66));
}
