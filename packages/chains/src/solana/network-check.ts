import { KervanError } from '@kervan/contract';
import { printable } from '../printable.ts';
import type { SolanaRpc } from './rpc.ts';

export interface NetworkCheck {
  /** Asks the node. */
  now(signal?: AbortSignal): Promise<void>;
  /** Asks the node unless it was the right one a moment ago. */
  recent(signal?: AbortSignal): Promise<void>;
  /** What the node last answered, right or not. */
  proven(): string | undefined;
}

interface NetworkCheckOptions {
  readonly rpc: SolanaRpc;
  /** Null accepts any. */
  readonly genesisHash: string | null;
  /** How long a right answer serves `recent`, in ms. */
  readonly maxAgeMs: number;
  /** A clock in ms that never goes back. */
  readonly clock: () => number;
}

/** Whether the node serves the network it should, by its genesis hash. Both calls throw NETWORK_MISMATCH. */
export function createNetworkCheck({ rpc, genesisHash, maxAgeMs, clock }: NetworkCheckOptions): NetworkCheck {
  let rightAt = Number.NEGATIVE_INFINITY;
  let proven: string | undefined;

  async function now(signal?: AbortSignal): Promise<void> {
    const askedAt = clock();
    const actual = await rpc.getGenesisHash().send(signal && { abortSignal: signal });
    proven = actual;
    if (genesisHash !== null && genesisHash !== actual) {
      rightAt = Number.NEGATIVE_INFINITY;
      throw new KervanError('NETWORK_MISMATCH', { expected: genesisHash, actual: printable(actual) });
    }
    rightAt = Math.max(rightAt, askedAt);
  }

  return {
    now,
    async recent(signal) {
      if (clock() - rightAt > maxAgeMs) await now(signal);
    },
    proven: () => proven,
  };
}
