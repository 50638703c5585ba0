import { KervanError } from '@kervan/contract';
import type { Signature } from '@solana/kit';
import type { AttemptRef, Outcome } from '../port.ts';
import { isExpired, readFinalizedTip, readLanded, readOutcome, signatureOf } from './outcome.ts';
import type { SolanaRpc } from './rpc.ts';
import type { SlotFeed, SlotFollower } from './slot-feed.ts';

export interface SignatureWatcher {
  /**
   * Resolves with the outcome when it is no longer pending, or with pending at the abort. Rejects only when answers
   * that came could not be made sense of several times.
   */
  watch(attempt: AttemptRef, signal: AbortSignal): Promise<Outcome>;
  close(): void;
}

interface WatcherOptions {
  readonly rpc: SolanaRpc;
  readonly followSlots: SlotFollower | undefined;
  /** Wait between two polls in ms where no slot feed says when to look. */
  readonly pollMs: number;
}

interface Waiter {
  readonly attempt: AttemptRef;
  readonly signature: Signature;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** Answers about it that came and could not be made sense of. */
  faults: number;
  /** Its outcome is being read; polls leave it out. */
  isBeingRead: boolean;
}

const doNothing = (): void => undefined;

/** What getSignatureStatuses takes at once. */
const signaturesPerCall = 256;
/** Finality trails by some 13 s, so looking for expiry every few polls loses nothing. */
const pollsPerExpiryCheck = 5;
/** A feed is kept so long after the last watch: connecting takes a while, and the next watch must not miss its slot. */
const feedLingersMs = 30_000;
/** With a slot feed the timer is only there for a feed that falls silent. */
const pollMsWithFeed = 1_000;
/** Faults after which a watch fails: no node being away explains them, and they would go on in silence. */
const mostFaults = 5;

/**
 * Watches any number of signatures with one poller: a getSignatureStatuses call for each 256 of them at every
 * slot, and one call more for each that has landed. It polls only while somebody waits.
 */
export function createSignatureWatcher(options: WatcherOptions): SignatureWatcher {
  const { rpc } = options;
  const waiting = new Set<Waiter>();
  const closed = new AbortController();
  let isPolling = false;
  let following: { readonly feed: SlotFeed; readonly stop: AbortController } | undefined;
  let lingering: NodeJS.Timeout | undefined;
  /** A slot came, or the last waiter went, since the last poll began. */
  let isDue = false;
  let endPause = doNothing;

  async function pollWhileWaitedFor(): Promise<void> {
    isPolling = true;
    const feed = openFeed();
    for (let poll = 1; waiting.size > 0; poll += 1) {
      isDue = false;
      await lookForLanded();
      if (poll % pollsPerExpiryCheck === 0) await lookForExpired();
      await pause(feed);
    }
    isPolling = false;
    lingering = setTimeout(closeFeed, feedLingersMs).unref();
  }

  function openFeed(): SlotFeed | undefined {
    clearTimeout(lingering);
    if (!following && options.followSlots) {
      const stop = new AbortController();
      following = { feed: options.followSlots(wake, stop.signal), stop };
    }
    return following?.feed;
  }

  function closeFeed(): void {
    clearTimeout(lingering);
    following?.stop.abort();
    following = undefined;
  }

  function wake(): void {
    isDue = true;
    endPause();
  }

  async function pause(feed: SlotFeed | undefined): Promise<void> {
    // What came while the poll was under way may have come too late for it.
    if (isDue) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, feed?.isLive() ? pollMsWithFeed : options.pollMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    endPause = doNothing;
  }

  async function lookForLanded(): Promise<void> {
    const open = [...waiting].filter((waiter) => !waiter.isBeingRead);
    const calls: Promise<void>[] = [];
    for (let start = 0; start < open.length; start += signaturesPerCall) {
      const batch = open.slice(start, start + signaturesPerCall);
      calls.push(lookFor(batch).catch((error: unknown) => noteFailure(batch, error)));
    }
    await Promise.all(calls);
  }

  async function lookFor(batch: readonly Waiter[]): Promise<void> {
    const signatures = batch.map((waiter) => waiter.signature);
    const { value } = await rpc.getSignatureStatuses(signatures).send({ abortSignal: closed.signal });
    for (const [index, waiter] of batch.entries()) {
      const status = value[index]?.confirmationStatus;
      if (status === 'confirmed' || status === 'finalized') void read(waiter, readLanded);
    }
  }

  async function lookForExpired(): Promise<void> {
    try {
      const tip = await readFinalizedTip(rpc, closed.signal);
      for (const waiter of waiting) {
        if (!waiter.isBeingRead && isExpired(waiter.attempt, tip)) void read(waiter, readOutcome);
      }
    } catch (error) {
      noteFailure([...waiting], error);
    }
  }

  // A node that could not be asked tells nothing: the next poll asks again.
  function noteFailure(waiters: readonly Waiter[], error: unknown): void {
    if (closed.signal.aborted) return;
    if (error instanceof KervanError && error.code === 'NETWORK_UNREACHABLE') return;
    for (const waiter of waiters) {
      waiter.faults += 1;
      if (waiter.faults >= mostFaults) waiter.reject(error);
    }
  }

  // Not awaited by the poll: one slow answer must not hold up everyone else's.
  async function read(waiter: Waiter, reader: typeof readOutcome): Promise<void> {
    waiter.isBeingRead = true;
    try {
      const outcome = await reader(rpc, waiter.attempt, closed.signal);
      if (outcome.kind !== 'pending') waiter.resolve(outcome);
    } catch (error) {
      noteFailure([waiter], error);
    } finally {
      waiter.isBeingRead = false;
    }
  }

  return {
    async watch(attempt, signal) {
      if (signal.aborted || closed.signal.aborted) return { kind: 'pending' };
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      const signature = signatureOf(attempt);
      const waiter: Waiter = { attempt, signature, resolve, reject, faults: 0, isBeingRead: false };
      const giveUp = (): void => resolve({ kind: 'pending' });
      signal.addEventListener('abort', giveUp);
      waiting.add(waiter);
      if (!isPolling) void pollWhileWaitedFor();
      try {
        return await promise;
      } finally {
        waiting.delete(waiter);
        signal.removeEventListener('abort', giveUp);
        if (waiting.size === 0) wake();
      }
    },

    close() {
      closed.abort();
      closeFeed();
      for (const waiter of waiting) waiter.resolve({ kind: 'pending' });
    },
  };
}
