import { KervanError } from '@kervan/contract';
import {
  BSC_CONTRACTS,
  createBscAdapter,
  createSolanaAdapter,
  findNetwork,
  type ChainPort,
  type KnownNetwork,
} from '@kervan/chains';
import type { SandboxClient } from './sandbox-client.ts';

/** A public node each, until the operator names one of their own. */
const SOLANA_NODES = {
  devnet: { rpcUrl: 'https://api.devnet.solana.com', wsUrl: 'wss://api.devnet.solana.com' },
  mainnet: { rpcUrl: 'https://api.mainnet-beta.solana.com', wsUrl: 'wss://api.mainnet-beta.solana.com' },
} as const;
const BSC_NODES = {
  testnet: { rpcUrl: 'https://data-seed-prebsc-1-s1.bnbchain.org:8545', chainId: 97 },
  mainnet: { rpcUrl: 'https://bsc-dataseed.bnbchain.org', chainId: 56 },
} as const;

const JUPITER_URL = 'https://api.jup.ag';
const BLOCK_ENGINE_URL = 'https://mainnet.block-engine.jito.wtf';
const GWEI = 1_000_000_000n;

/** Blocks until a receipt of a live BSC node counts; the sandbox never reorganises. */
const LIVE_CONFIRMATIONS = 3;

/** The port of a network; nothing is asked of a live node yet, the sandbox is asked what it serves. */
export async function connectTo(
  { chain, network }: KnownNetwork,
  sandbox: SandboxClient | undefined,
  signal: AbortSignal,
  jupiterApiKey?: string,
): Promise<ChainPort> {
  if (network === 'sandbox') {
    if (!sandbox) throw new KervanError('NETWORK_UNAVAILABLE', { chain, network });
    return chain === 'solana' ? await solanaSandbox(sandbox, signal) : await bscSandbox(sandbox, signal);
  }
  return chain === 'solana' ? liveSolana(network, jupiterApiKey) : liveBsc(network);
}

export function liveSolana(network: 'devnet' | 'mainnet', jupiterApiKey?: string): ChainPort {
  const known = findNetwork('solana', network);
  return createSolanaAdapter({
    network,
    ...SOLANA_NODES[network],
    // Jupiter and Jito serve mainnet alone; what is composed for it means nothing on another network.
    ...(network === 'mainnet' && {
      jupiterUrl: JUPITER_URL,
      blockEngineUrl: BLOCK_ENGINE_URL,
      ...(jupiterApiKey !== undefined && { jupiterApiKey }),
    }),
    genesisHash: known?.chain === 'solana' ? known.genesisHash : null,
  });
}

export function liveBsc(network: 'testnet' | 'mainnet'): ChainPort {
  const { rpcUrl, chainId } = BSC_NODES[network];
  return createBscAdapter({
    network,
    chainId,
    rpcUrl,
    contracts: BSC_CONTRACTS[chainId],
    gas: { floorWei: GWEI / 20n, capWei: 20n * GWEI },
    confirmations: LIVE_CONFIRMATIONS,
  });
}

async function solanaSandbox(sandbox: SandboxClient, signal: AbortSignal): Promise<ChainPort> {
  const { genesisHash, tokens, programs } = await sandbox.solana(signal);
  const known = new Map(tokens.map((token) => [token.address, token]));
  const url = sandbox.rpcUrl('solana');
  return createSolanaAdapter({
    network: 'sandbox',
    rpcUrl: url,
    wsUrl: sandbox.wsUrl,
    jupiterUrl: url,
    blockEngineUrl: url,
    swapPrograms: programs,
    // As first met: a sandbox that begins anew under a running server is another chain.
    genesisHash,
    tokenList: (address) => known.get(address),
  });
}

async function bscSandbox(sandbox: SandboxClient, signal: AbortSignal): Promise<ChainPort> {
  const { chainId, contracts } = await sandbox.bsc(signal);
  return createBscAdapter({
    network: 'sandbox',
    chainId,
    rpcUrl: sandbox.rpcUrl('bsc'),
    contracts,
    gas: { floorWei: GWEI, capWei: 100n * GWEI },
    confirmations: 1,
  });
}
