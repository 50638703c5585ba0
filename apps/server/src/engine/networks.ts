import { KervanError, type Chain, type Network } from '@kervan/contract';
import { findNetwork, NETWORKS, type ChainPort, type KnownNetwork, type NetworkKind } from '@kervan/chains';
import { createNetworkConnection, type NetworkConnection } from './network-connection.ts';
import { LIVE_SERVICES, liveNode, type LiveServices, type NodeAddress } from './live-nodes.ts';
import { connectTo, keysPort } from './network-ports.ts';
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

/**
 * Whoever names a user gets that user's own node where they have one, and the built-in node otherwise, as everyone
 * does who names none.
 */
export interface Networks {
  /** Throws NETWORK_UNAVAILABLE, NETWORK_MISMATCH, and NETWORK_UNREACHABLE while the node has never answered. */
  port(chain: Chain, network: Network, userId?: string): ChainPort;
  /** The same, after waiting a little for the first answer of a node that was not asked before. */
  verifiedPort(chain: Chain, network: Network, userId?: string): Promise<ChainPort>;
  /** Where the node is. May hold a key: never for a person's eyes. */
  node(chain: Chain, network: Network, userId?: string): NodeAddress;
  keys(chain: Chain): ChainKeys;
  kind(chain: Chain, network: Network): NetworkKind;
  /** Of a user's nodes; without a user, of the built-in ones. */
  status(userId?: string): NetworkStatus[];
  /** Leaves the own nodes that are not among these to themselves. Trades under way there end there. */
  keepNodes(nodes: ReadonlySet<string>): void;
  readonly sandbox: SandboxClient | undefined;
  close(): void;
}

const SANDBOX_PACE = { verifyEveryMs: 5_000, retryMs: 1_000, retryMaxMs: 1_000 };
// Someone else's node, perhaps of a network that a user has looked at once: it is asked ever less often.
const LIVE_PACE = { verifyEveryMs: 30_000, retryMs: 1_000, retryMaxMs: 60_000 };

/** A trade that has its port in hand is done with it by then, or has asked for it again. */
const RETIREMENT_MS = 10 * 60_000;

interface NetworksOptions {
  readonly sandboxPorts: SandboxPorts | undefined;
  readonly jupiterApiKey?: string | undefined;
  /** Opens the Solana provider for those who have no key of their own. */
  readonly solanaProviderKey?: string | undefined;
  readonly services?: LiveServices;
  /** What a user has named instead of the built-in node: a provider's key, on BSC an address. */
  readonly ownNode?: (userId: string, chain: Chain, network: Network) => string | undefined;
}

interface Connected {
  readonly known: KnownNetwork;
  readonly own: string | undefined;
  readonly connection: NetworkConnection;
}

/** The networks that this server trades on: the sandboxes from the start, the others when first asked for. */
export function createNetworks({
  sandboxPorts,
  jupiterApiKey,
  solanaProviderKey,
  services = LIVE_SERVICES,
  ownNode = () => undefined,
}: NetworksOptions): Networks {
  const sandbox = sandboxPorts && createSandboxClient(sandboxPorts);
  const connections = new Map<string, Connected>();
  const retiring = new Map<NodeJS.Timeout, NetworkConnection>();
  const keys = new Map<Chain, ChainPort>();

  const ownNodeOf = ({ chain, network }: KnownNetwork, userId: string | undefined) =>
    userId === undefined || network === 'sandbox' ? undefined : ownNode(userId, chain, network);
  const keyOf = ({ chain, network }: KnownNetwork, own: string | undefined) =>
    `${chain} ${network} ${own ?? ''}`;

  function available(chain: Chain, network: Network): KnownNetwork {
    const known = findNetwork(chain, network);
    if (!known || !isAvailable(known)) throw new KervanError('NETWORK_UNAVAILABLE', { chain, network });
    return known;
  }

  function nodeAddress({ chain, network }: KnownNetwork, own: string | undefined): NodeAddress {
    return liveNode(services, chain, network, own ?? (chain === 'solana' ? solanaProviderKey : undefined));
  }

  function connectionTo(chain: Chain, network: Network, userId?: string): NetworkConnection {
    const known = available(chain, network);
    const own = ownNodeOf(known, userId);
    const key = keyOf(known, own);
    const existing = connections.get(key);
    if (existing) return existing.connection;
    const { jupiterUrl, blockEngineUrl } = services;
    const live = () => ({ node: nodeAddress(known, own), jupiterUrl, jupiterApiKey, blockEngineUrl });
    const connection = createNetworkConnection({
      known,
      connect: (signal) => connectTo(known, sandbox, live, signal),
      ...(known.kind === 'sandbox' ? SANDBOX_PACE : LIVE_PACE),
    });
    connections.set(key, { known, own, connection });
    return connection;
  }

  function problemOf(known: KnownNetwork, userId: string | undefined): string | null {
    const own = ownNodeOf(known, userId);
    const problems = [...connections.values()]
      .filter((each) => each.known === known && each.own === own)
      .map(({ connection }) => connection.problem());
    return problems.find((problem) => problem !== null) ?? null;
  }

  function isAvailable(known: KnownNetwork): boolean {
    return known.kind !== 'sandbox' || sandbox !== undefined;
  }

  function keysOf(chain: Chain): ChainKeys {
    const port = keys.get(chain) ?? keysPort(chain);
    keys.set(chain, port);
    return port;
  }

  if (sandbox)
    for (const { chain, kind, network } of NETWORKS) if (kind === 'sandbox') connectionTo(chain, network);

  return {
    port: (chain, network, userId) => connectionTo(chain, network, userId).port(),
    verifiedPort: async (chain, network, userId) => connectionTo(chain, network, userId).verifiedPort(),
    node(chain, network, userId) {
      const known = available(chain, network);
      if (sandbox && network === 'sandbox') return { rpcUrl: sandbox.rpcUrl(chain) };
      return nodeAddress(known, ownNodeOf(known, userId));
    },
    keys: keysOf,
    kind(chain, network) {
      const known = findNetwork(chain, network);
      if (!known) throw new KervanError('NETWORK_UNAVAILABLE', { chain, network });
      return known.kind;
    },
    status: (userId) =>
      NETWORKS.map((known) => {
        const problem = problemOf(known, userId);
        const { chain, network, kind } = known;
        return { chain, network, kind, isAvailable: isAvailable(known), ok: problem === null, problem };
      }),
    keepNodes(nodes) {
      for (const [key, { own, connection }] of connections) {
        if (own === undefined || nodes.has(own)) continue;
        connections.delete(key);
        const timer = setTimeout(() => {
          retiring.delete(timer);
          connection.close();
        }, RETIREMENT_MS).unref();
        retiring.set(timer, connection);
      }
    },
    sandbox,
    close() {
      for (const { connection } of connections.values()) connection.close();
      for (const [timer, connection] of retiring) {
        clearTimeout(timer);
        connection.close();
      }
      for (const port of keys.values()) port.close();
    },
  };
}
