import { KervanError, type Network } from '@kervan/contract';
import { encodeFunctionData, parseAbi, type Address } from 'viem';
import type { BscContracts } from './contracts.ts';
import { callOf, codeOf, hexSchema, quantitySchema } from './rpc-calls.ts';
import { requireResult, type RpcAnswer, type RpcClient } from './rpc-client.ts';

const abi = parseAbi(['function WETH() view returns (address)', 'function WETH9() view returns (address)']);

/**
 * Asks the node for its chain id, and PancakeSwap's contracts for the WBNB they trade. Throws NETWORK_MISMATCH
 * if the chain is another or a contract is not what it should be there.
 */
export async function verifyNetwork(
  options: {
    readonly rpc: RpcClient;
    readonly network: Network;
    readonly chainId: number;
    readonly contracts: BscContracts;
    /** Told of the chain id that the node answers, right or not. */
    readonly onChainId: (chainId: number) => void;
  },
  signal?: AbortSignal,
): Promise<void> {
  const { rpc, chainId, contracts } = options;
  const { wbnb, v2Router, v3Router, v3Quoter, multicall3 } = contracts;
  const [idAnswer, codeAnswer, ...wrapped] = await rpc.readAll(
    [
      { method: 'eth_chainId', params: [] },
      codeOf(multicall3),
      wrappedNativeOf(v2Router, 'WETH'),
      wrappedNativeOf(v3Router, 'WETH9'),
      wrappedNativeOf(v3Quoter, 'WETH9'),
    ],
    signal,
  );
  const actualId = Number(quantitySchema.parse(requireResult(idAnswer)));
  options.onChainId(actualId);
  if (actualId !== chainId) throw mismatch(`chain id ${chainId}`, `chain id ${actualId}`);
  if (hexSchema.parse(requireResult(codeAnswer)) === '0x') {
    throw mismatch(`Multicall3 at ${multicall3}`, 'no contract there');
  }
  for (const [index, contract] of [v2Router, v3Router, v3Quoter].entries()) {
    const actual = readAddress(wrapped[index]);
    if (actual !== wbnb.toLowerCase()) throw mismatch(`${contract} trading WBNB ${wbnb}`, actual);
  }
}

function wrappedNativeOf(contract: Address, getter: 'WETH' | 'WETH9') {
  return callOf({ to: contract, data: encodeFunctionData({ abi, functionName: getter }), value: 0n });
}

/** The address that a getter returned, in lower case. A contract that lacks the getter reverts or returns nothing. */
function readAddress(answer: RpcAnswer | undefined): string {
  if (!answer?.ok) return 'another contract';
  const word = hexSchema.parse(answer.result);
  return word.length === 66 ? `0x${word.slice(-40)}`.toLowerCase() : 'another contract';
}

function mismatch(expected: string, actual: string): KervanError {
  return new KervanError('NETWORK_MISMATCH', { expected, actual });
}
