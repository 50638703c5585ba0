import { encodeFunctionData, parseAbi, prepareEncodeFunctionData, type Address } from 'viem';
import type { ContractCall } from './rpc-calls.ts';

const abi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
]);

// Part of every swap. A selector is a hash of the signature: made once.
const balanceOf = prepareEncodeFunctionData({ abi, functionName: 'balanceOf' });

export function balanceOfCall(token: Address, owner: Address): ContractCall {
  return { to: token, data: encodeFunctionData({ ...balanceOf, args: [owner] }), value: 0n };
}

export function allowanceCall(token: Address, owner: Address, spender: Address): ContractCall {
  const data = encodeFunctionData({ abi, functionName: 'allowance', args: [owner, spender] });
  return { to: token, data, value: 0n };
}

export function approveCall(token: Address, spender: Address, amount: bigint): ContractCall {
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] });
  return { to: token, data, value: 0n };
}

export function transferCall(token: Address, to: Address, amount: bigint): ContractCall {
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] });
  return { to: token, data, value: 0n };
}

export function metadataCall(token: Address, field: 'name' | 'symbol' | 'decimals'): ContractCall {
  return { to: token, data: encodeFunctionData({ abi, functionName: field }), value: 0n };
}
