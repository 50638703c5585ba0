import type { Chain, Network } from '@kervan/contract';

/** Which band a network belongs to on screen, and whether volume sessions may run there. */
export type NetworkKind = 'sandbox' | 'test' | 'live';

interface SolanaNetwork {
  readonly chain: 'solana';
  readonly network: Network;
  readonly kind: NetworkKind;
  /** Null: the sandbox says it itself when it is found. */
  readonly genesisHash: string | null;
}

interface BscNetwork {
  readonly chain: 'bsc';
  readonly network: Network;
  readonly kind: NetworkKind;
  readonly chainId: number;
}

const CHAIN_NAMES: Readonly<Record<Chain, string>> = { solana: 'Solana', bsc: 'BSC' };

/** Every network there is, with what a node must answer to be it. Genesis hashes: docs of Solana clusters. */
export const NETWORKS = [
  { chain: 'solana', network: 'sandbox', kind: 'sandbox', genesisHash: null },
  {
    chain: 'solana',
    network: 'devnet',
    kind: 'test',
    genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  },
  {
    chain: 'solana',
    network: 'mainnet',
    kind: 'live',
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  },
  { chain: 'bsc', network: 'sandbox', kind: 'sandbox', chainId: 31337 },
  { chain: 'bsc', network: 'testnet', kind: 'test', chainId: 97 },
  { chain: 'bsc', network: 'mainnet', kind: 'live', chainId: 56 },
] as const satisfies readonly (SolanaNetwork | BscNetwork)[];

export type KnownNetwork = (typeof NETWORKS)[number];

/** As people call it: "Solana devnet", "BSC sandbox". */
export function networkName({ chain, network }: { chain: Chain; network: Network }): string {
  return `${CHAIN_NAMES[chain]} ${network}`;
}

export function findNetwork(chain: Chain, network: Network): KnownNetwork | undefined {
  return NETWORKS.find((known) => known.chain === chain && known.network === network);
}
