import type { Chain, Network } from '@kervan/contract';

/** How a network's node is reached. */
export interface NodeAddress {
  readonly rpcUrl: string;
  readonly wsUrl?: string;
}

/** The services of the live networks. Tests put others in their place. */
export interface LiveServices {
  /** A Solana provider's node for its key. */
  providerNode(network: Network, key: string): NodeAddress;
  /** Whoever has no node of their own. */
  publicNode(chain: Chain, network: Network): NodeAddress;
  readonly jupiterUrl: string;
  readonly blockEngineUrl: string;
  readonly tokenPairsUrl: string;
  readonly coinsUrl: string;
}

const PUBLIC_NODES: Readonly<Record<string, NodeAddress>> = {
  'solana devnet': { rpcUrl: 'https://api.devnet.solana.com', wsUrl: 'wss://api.devnet.solana.com' },
  'solana mainnet': {
    rpcUrl: 'https://api.mainnet-beta.solana.com',
    wsUrl: 'wss://api.mainnet-beta.solana.com',
  },
  'bsc testnet': { rpcUrl: 'https://data-seed-prebsc-1-s1.bnbchain.org:8545' },
  'bsc mainnet': { rpcUrl: 'https://bsc-dataseed.bnbchain.org' },
};

export const LIVE_SERVICES: LiveServices = {
  // Helius: the key is a query parameter (https://www.helius.dev/docs).
  providerNode(network, key) {
    const host = `${network}.helius-rpc.com/?api-key=${encodeURIComponent(key)}`;
    return { rpcUrl: `https://${host}`, wsUrl: `wss://${host}` };
  },
  publicNode(chain, network) {
    const node = PUBLIC_NODES[`${chain} ${network}`];
    if (!node) throw new Error(`${chain} ${network} has no public node`);
    return node;
  },
  jupiterUrl: 'https://api.jup.ag',
  blockEngineUrl: 'https://mainnet.block-engine.jito.wtf',
  tokenPairsUrl: 'https://api.dexscreener.com',
  coinsUrl: 'https://api.coingecko.com/api/v3',
};

/** The user's own node where there is one: a provider's for their key, on BSC the address they gave. */
export function liveNode(
  services: LiveServices,
  chain: Chain,
  network: Network,
  own: string | undefined,
): NodeAddress {
  if (own === undefined) return services.publicNode(chain, network);
  return chain === 'solana' ? services.providerNode(network, own) : { rpcUrl: own };
}
