import { KervanError, type Chain } from '@kervan/contract';
import type { ChainPort } from '@kervan/chains';
import { createNetworks, type Networks } from '../src/engine/networks.ts';
import { createFakeChain } from './fake-chain.ts';

export type FakeNetworks = Networks & {
  readonly chains: Record<Chain, ReturnType<typeof createFakeChain>>;
  /** Address → native base units; an address that is not there has 0. */
  readonly balances: Map<string, bigint>;
};

/** Token addresses that exist on the fake networks; every other one does not. */
export const TOKENS = {
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  bsc: '0x55d398326f99059fF775485246999027B3197955',
};
export const TOKEN_DECIMALS = 6;

/** Real keys, and networks that are fakes in memory. */
export function createFakeNetworks(): FakeNetworks {
  const real = createNetworks({ sandboxPorts: undefined });
  const chains = { solana: createFakeChain('solana'), bsc: createFakeChain('bsc') };
  const balances = new Map<string, bigint>();

  function port(chain: Chain): ChainPort {
    const balancesOf = (addresses: readonly string[]) =>
      Promise.resolve(new Map(addresses.map((address) => [address, balances.get(address) ?? 0n])));
    return {
      ...chains[chain].port,
      balances: balancesOf,
      tokenBalances: balancesOf,
      describeToken: (address) =>
        address.toLowerCase() === TOKENS[chain].toLowerCase()
          ? Promise.resolve({
              address: TOKENS[chain],
              name: 'Test',
              symbol: 'TEST',
              decimals: TOKEN_DECIMALS,
            })
          : Promise.reject(new KervanError('TOKEN_NOT_FOUND')),
    };
  }

  return {
    ...real,
    port,
    verifiedPort: (chain) => Promise.resolve(port(chain)),
    chains,
    balances,
  };
}
