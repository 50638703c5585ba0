import { setTimeout as delay } from 'node:timers/promises';
import { createSolanaRpcSubscriptions, type RpcSubscriptions, type SlotNotificationsApi } from '@solana/kit';

export interface SlotFeed {
  /** Whether slots are being heard of right now. */
  isLive(): boolean;
}

const reconnectMs = 1_000;

/** Calls `onSlot` at every new slot until the signal aborts. */
export type SlotFollower = (onSlot: () => void, signal: AbortSignal) => SlotFeed;

/**
 * Follows slots over the node's WebSocket. The feed only says when to look, so a broken connection is no error:
 * it is made again, and until then the feed is not live.
 */
export function createSlotFollower(wsUrl: URL): SlotFollower {
  const subscriptions = createSolanaRpcSubscriptions(wsUrl.href);
  return (onSlot, signal) => followSlots(subscriptions, onSlot, signal);
}

function followSlots(
  { slotNotifications }: RpcSubscriptions<SlotNotificationsApi>,
  onSlot: () => void,
  signal: AbortSignal,
): SlotFeed {
  let isLive = false;

  async function listen(): Promise<void> {
    const slots = await slotNotifications().subscribe({ abortSignal: signal });
    const iterator = slots[Symbol.asyncIterator]();
    while (!(await iterator.next()).done) {
      isLive = true;
      onSlot();
    }
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      await listen().catch(() => undefined);
      isLive = false;
      await delay(reconnectMs, undefined, { signal }).catch(() => undefined);
    }
  }

  void follow();
  return { isLive: () => isLive };
}
