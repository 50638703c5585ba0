import type { Chain, Network } from '@kervan/contract';

/** Which band a network belongs to on screen, and whether volume sessions may run there. */
export type NetworkKind = 'sandbox' | 'test' | 'live';

interface SolanaNetwork {
  readonly chain: 'solana';
  readonly network: Network;
  readonly kind: NetworkKind;
  readonly genesisHash: string;
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
  {
    chain: 'solana',
    network: 'sandbox',
    kind: 'sandbox',
    genesisHash: '6Scxe1Pxem4jvTang9sTKFHW9zhYcAmJckGqn8QDfVMf',
  },
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

/**
 * Which kind of network a node serves by its own word, a genesis hash or chain id as `provenNetwork` tells it, whatever
 * it was set up as. Undefined for one that is none of ours.
 */
export function provenKind(chain: Chain, proven: string | undefined): NetworkKind | undefined {
  return NETWORKS.find((known) => known.chain === chain && proof(known) === proven)?.kind;
}

function proof(known: KnownNetwork): string {
  return known.chain === 'solana' ? known.genesisHash : String(known.chainId);
}
