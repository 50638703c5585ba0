import { KervanError } from '@kervan/contract';
import type { Address } from 'viem';
import { requireAddress } from './address.ts';
import type { BscContracts } from './contracts.ts';
import { balanceOfCall } from './erc20.ts';
import { aggregate, nativeBalanceCall, readAggregate, readUint } from './multicall.ts';
import { callOf, hexSchema, type ContractCall } from './rpc-calls.ts';
import type { RpcClient } from './rpc-client.ts';

interface Dependencies {
  readonly rpc: RpcClient;
  readonly contracts: BscContracts;
}

/** Balances in one multicall; nodes bound the gas of a call, 200 of them stay far below it. */
const addressesPerCall = 200;

/** Native balance of each address in wei. Throws ADDRESS_INVALID. */
export function readBalances(
  { rpc, contracts }: Dependencies,
  addresses: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, bigint>> {
  return readEach({ rpc, contracts }, addresses, signal, (owner) =>
    nativeBalanceCall(contracts.multicall3, owner),
  );
}

/**
 * Balance of a token at each address in its base units. Throws ADDRESS_INVALID, TOKEN_ADDRESS_INVALID, and
 * TOKEN_NOT_FOUND if nothing at the token's address tells balances.
 */
export function readTokenBalances(
  { rpc, contracts }: Dependencies,
  addresses: readonly string[],
  tokenAddress: string,
  signal?: AbortSignal,
): Promise<Map<string, bigint>> {
  const token = requireAddress(tokenAddress, 'TOKEN_ADDRESS_INVALID');
  return readEach({ rpc, contracts }, addresses, signal, (owner) => balanceOfCall(token, owner));
}

async function readEach(
  { rpc, contracts }: Dependencies,
  addresses: readonly string[],
  signal: AbortSignal | undefined,
  balanceCall: (owner: Address) => ContractCall,
): Promise<Map<string, bigint>> {
  const owners = addresses.map((address) => requireAddress(address, 'ADDRESS_INVALID'));
  const balances = new Map<string, bigint>();
  for (let start = 0; start < owners.length; start += addressesPerCall) {
    const calls = owners.slice(start, start + addressesPerCall).map(balanceCall);
    const answer = await rpc.read(callOf(aggregate(contracts.multicall3, calls)), signal);
    for (const [index, result] of readAggregate(hexSchema.parse(answer)).entries()) {
      const balance = readUint(result);
      if (balance === undefined) throw new KervanError('TOKEN_NOT_FOUND');
      balances.set(addresses[start + index] ?? '', balance);
    }
  }
  return balances;
}
