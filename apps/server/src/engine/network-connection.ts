import { setTimeout as delay } from 'node:timers/promises';
import { KervanError } from '@kervan/contract';
import { networkName, type ChainPort, type KnownNetwork } from '@kervan/chains';

interface ConnectionOptions {
  readonly known: KnownNetwork;
  /** Makes the port; repeated until it succeeds once. */
  readonly connect: (signal: AbortSignal) => Promise<ChainPort>;
  /** How often the node is asked again which network it serves, while all is well. */
  readonly verifyEveryMs: number;
  /** The first pause before a node that does not answer is asked again; it doubles up to the longest. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
}

const VERIFY_TIMEOUT_MS = 10_000;
const FIRST_ANSWER_MS = 5_000;

export type NetworkConnection = ReturnType<typeof createNetworkConnection>;

/**
 * One network and the node behind it. Which network that is, the node says itself, at once and again and again: a
 * node that serves another one is not traded on until it serves the right one again. A node that once was right and
 * is only away keeps its port: what to do about that is the business of whoever calls it.
 */
export function createNetworkConnection({
  known,
  connect,
  verifyEveryMs,
  retryMs,
  retryMaxMs,
}: ConnectionOptions) {
  const closing = new AbortController();
  const firstAnswer = Promise.withResolvers<void>();
  let connected: ChainPort | undefined;
  let isVerified = false;
  let mismatch: KervanError | undefined;
  let problem: string | null = 'not asked yet';

  async function verify(): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(VERIFY_TIMEOUT_MS)]);
    try {
      connected ??= await connect(signal);
      await connected.verifyNetwork(signal);
      isVerified = true;
      mismatch = undefined;
      problem = null;
    } catch (error) {
      if (error instanceof KervanError && error.code === 'NETWORK_MISMATCH') mismatch = error;
      problem = error instanceof Error ? error.message : String(error);
    }
  }

  async function keepVerifying(): Promise<void> {
    let nextRetryMs = retryMs;
    while (!closing.signal.aborted) {
      await verify();
      if (isVerified || mismatch) firstAnswer.resolve();
      const pauseMs = problem === null ? verifyEveryMs : nextRetryMs;
      nextRetryMs = problem === null ? retryMs : Math.min(nextRetryMs * 2, retryMaxMs);
      await delay(pauseMs, undefined, {
        signal: closing.signal,
        ref: false,
      }).catch(() => {});
    }
    connected?.close();
  }
  void keepVerifying();

  function port(): ChainPort {
    if (mismatch) throw mismatch;
    if (connected === undefined || !isVerified)
      throw new KervanError('NETWORK_UNREACHABLE', { network: networkName(known) });
    return connected;
  }

  return {
    /** Throws NETWORK_MISMATCH, and NETWORK_UNREACHABLE while the node has never answered. */
    port,
    /** The same, after waiting a little for the node's first answer. */
    async verifiedPort(): Promise<ChainPort> {
      await Promise.race([
        firstAnswer.promise,
        delay(FIRST_ANSWER_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {}),
      ]);
      return port();
    },
    problem: () => problem,
    close(): void {
      closing.abort();
    },
  };
}
