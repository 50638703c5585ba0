import { KervanError, type Chain, type Network } from '@kervan/contract';
import { findNetwork, NETWORKS, type ChainPort, type KnownNetwork, type NetworkKind } from '@kervan/chains';
import { createNetworkConnection, type NetworkConnection } from './network-connection.ts';
import { connectTo, liveBsc, liveSolana } from './network-ports.ts';
import { createSandboxClient, type SandboxClient, type SandboxPorts } from './sandbox-client.ts';

export interface NetworkStatus {
  readonly chain: Chain;
  readonly network: Network;
  readonly kind: NetworkKind;
  /** False for a sandbox that this server was not given. */
  readonly isAvailable: boolean;
  /** True as well for a network that nobody has asked for yet. */
  readonly ok: boolean;
  readonly problem: string | null;
}

/** The part of a port that is the same on every network of a chain and asks no node. */
export type ChainKeys = Pick<ChainPort, 'createKey' | 'importKey' | 'exportKey' | 'parseAddress'>;

export interface Networks {
  /** Throws NETWORK_UNAVAILABLE, NETWORK_MISMATCH, and NETWORK_UNREACHABLE while the node has never answered. */
  port(chain: Chain, network: Network): ChainPort;
  /** The same, after waiting a little for the first answer of a node that was not asked before. */
  verifiedPort(chain: Chain, network: Network): Promise<ChainPort>;
  keys(chain: Chain): ChainKeys;
  kind(chain: Chain, network: Network): NetworkKind;
  status(): NetworkStatus[];
  readonly sandbox: SandboxClient | undefined;
  close(): void;
}

const SANDBOX_PACE = { verifyEveryMs: 5_000, retryMs: 1_000, retryMaxMs: 1_000 };
// Someone else's node, perhaps of a network that a user has looked at once: it is asked ever less often.
const LIVE_PACE = { verifyEveryMs: 30_000, retryMs: 1_000, retryMaxMs: 60_000 };

interface NetworksOptions {
  readonly sandboxPorts: SandboxPorts | undefined;
  readonly jupiterApiKey?: string | undefined;
}

/** The networks that this server trades on: the sandboxes from the start, the others when first asked for. */
export function createNetworks({ sandboxPorts, jupiterApiKey }: NetworksOptions): Networks {
  const sandbox = sandboxPorts && createSandboxClient(sandboxPorts);
  const connections = new Map<KnownNetwork, NetworkConnection>();
  const keys = new Map<Chain, ChainPort>();

  function connectionTo(chain: Chain, network: Network): NetworkConnection {
    const known = findNetwork(chain, network);
    if (!known || !isAvailable(known)) throw new KervanError('NETWORK_UNAVAILABLE', { chain, network });
    const existing = connections.get(known);
    if (existing) return existing;
    const connection = createNetworkConnection({
      known,
      connect: (signal) => connectTo(known, sandbox, signal, jupiterApiKey),
      ...(known.kind === 'sandbox' ? SANDBOX_PACE : LIVE_PACE),
    });
    connections.set(known, connection);
    return connection;
  }

  function isAvailable(known: KnownNetwork): boolean {
    return known.kind !== 'sandbox' || sandbox !== undefined;
  }

  function keysOf(chain: Chain): ChainKeys {
    const port = keys.get(chain) ?? (chain === 'solana' ? liveSolana('mainnet') : liveBsc('mainnet'));
    keys.set(chain, port);
    return port;
  }

  if (sandbox)
    for (const { chain, kind, network } of NETWORKS) if (kind === 'sandbox') connectionTo(chain, network);

  return {
    port: (chain, network) => connectionTo(chain, network).port(),
    verifiedPort: async (chain, network) => connectionTo(chain, network).verifiedPort(),
    keys: keysOf,
    kind(chain, network) {
      const known = findNetwork(chain, network);
      if (!known) throw new KervanError('NETWORK_UNAVAILABLE', { chain, network });
      return known.kind;
    },
    status: () =>
      NETWORKS.map((known) => {
        const problem = connections.get(known)?.problem() ?? null;
        const { chain, network, kind } = known;
        return { chain, network, kind, isAvailable: isAvailable(known), ok: problem === null, problem };
      }),
    sandbox,
    close() {
      for (const connection of connections.values()) connection.close();
      for (const port of keys.values()) port.close();
    },
  };
}
