import { KervanError, type Chain, type Network } from '@kervan/contract';
import { provenKind, type ChainPort } from '@kervan/chains';
import type { TradeIntent } from './intent.ts';

// Trading with oneself on a live market misleads others. Whatever a volume session asks for is therefore refused
// wherever the node does not prove a test network, by its genesis hash or chain id; there is no switch for it.

/** Throws VOLUME_LIVE_NETWORK unless the node has last proved to serve a test network. */
export function assertTestNetwork(port: Pick<ChainPort, 'chain' | 'provenNetwork'>): void {
  const kind = provenKind(port.chain, port.provenNetwork());
  if (kind !== 'sandbox' && kind !== 'test') throw new KervanError('VOLUME_LIVE_NETWORK');
}

/** Asks the node now. Throws VOLUME_LIVE_NETWORK before NETWORK_MISMATCH, and NETWORK_UNREACHABLE. */
export async function requireTestNetwork(port: ChainPort, signal?: AbortSignal): Promise<void> {
  try {
    await port.verifyNetwork(signal);
  } finally {
    assertTestNetwork(port);
  }
}

/** Why the intent may not be planned where it wants to be, by what its node has last proved; undefined if it may. */
export function networkRefusal(
  portOf: (chain: Chain, network: Network, userId: string) => ChainPort,
  { source, chain, network, userId }: Pick<TradeIntent, 'source' | 'chain' | 'network' | 'userId'>,
): KervanError | undefined {
  if (source !== 'volume') return undefined;
  try {
    assertTestNetwork(portOf(chain, network, userId));
    return undefined;
  } catch (error) {
    if (error instanceof KervanError) return error;
    throw error;
  }
}
