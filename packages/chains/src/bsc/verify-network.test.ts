import { expect, it } from 'vitest';
import { BSC_CONTRACTS } from './contracts.ts';
import { createFakeNode, result } from './fake-node.ts';
import { verifyNetwork } from './verify-network.ts';

it('a node of another chain is refused, and what it said of itself is known', async () => {
  const said: number[] = [];
  const options = {
    rpc: createFakeNode(() => result('0x38')),
    network: 'testnet',
    chainId: 97,
    contracts: BSC_CONTRACTS[97],
    onChainId: (chainId: number) => void said.push(chainId),
  } as const;
  await expect(verifyNetwork(options)).rejects.toMatchObject({
    code: 'NETWORK_MISMATCH',
    context: { expected: 'chain id 97', actual: 'chain id 56' },
  });
  expect(said).toEqual([56]);
});
