import { BSC_CHAIN_IDS, KervanError, type Chain } from '@kervan/contract';
import {
  BSC_CONTRACTS,
  createBscAdapter,
  createSolanaAdapter,
  findNetwork,
  type ChainPort,
  type KnownNetwork,
} from '@kervan/chains';
import { LIVE_SERVICES, type NodeAddress } from './live-nodes.ts';
import type { SandboxClient } from './sandbox-client.ts';

const GWEI = 1_000_000_000n;

/** Blocks until a receipt of a live BSC node counts; the sandbox never reorganises. */
const LIVE_CONFIRMATIONS = 3;

export interface LiveOptions {
  readonly node: NodeAddress;
  /** Undefined where nothing is swapped: the port is for keys alone. */
  readonly jupiterUrl: string | undefined;
  readonly jupiterApiKey: string | undefined;
  readonly blockEngineUrl: string | undefined;
}

/** The port of a network; nothing is asked of a live node yet, the sandbox is asked what it serves. */
export async function connectTo(
  { chain, network }: KnownNetwork,
  sandbox: SandboxClient | undefined,
  live: () => LiveOptions,
  signal: AbortSignal,
): Promise<ChainPort> {
  if (network === 'sandbox') {
    if (!sandbox) throw new KervanError('NETWORK_UNAVAILABLE', { chain, network });
    return chain === 'solana' ? await solanaSandbox(sandbox, signal) : await bscSandbox(sandbox, signal);
  }
  return chain === 'solana' ? liveSolana(network, live()) : liveBsc(network, live());
}

export function liveSolana(network: 'devnet' | 'mainnet', live: LiveOptions): ChainPort {
  const known = findNetwork('solana', network);
  const { node, jupiterUrl, jupiterApiKey, blockEngineUrl } = live;
  return createSolanaAdapter({
    network,
    ...node,
    // Jupiter and Jito serve mainnet alone; what is composed for it means nothing on another network.
    ...(network === 'mainnet' &&
      jupiterUrl !== undefined && {
        jupiterUrl,
        ...(jupiterApiKey !== undefined && { jupiterApiKey }),
        ...(blockEngineUrl !== undefined && { blockEngineUrl }),
      }),
    genesisHash: known?.chain === 'solana' ? known.genesisHash : null,
  });
}

function liveBsc(network: 'testnet' | 'mainnet', { node }: LiveOptions): ChainPort {
  const chainId = BSC_CHAIN_IDS[network];
  return createBscAdapter({
    network,
    chainId,
    rpcUrl: node.rpcUrl,
    contracts: BSC_CONTRACTS[chainId],
    gas: { floorWei: GWEI / 20n, capWei: 20n * GWEI },
    confirmations: LIVE_CONFIRMATIONS,
  });
}

/** A port for what needs no node: keys and addresses. */
export function keysPort(chain: Chain): ChainPort {
  const node = LIVE_SERVICES.publicNode(chain, 'mainnet');
  const live = { node, jupiterUrl: undefined, jupiterApiKey: undefined, blockEngineUrl: undefined };
  return chain === 'solana' ? liveSolana('mainnet', live) : liveBsc('mainnet', live);
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
