import { setTimeout as delay } from 'node:timers/promises';
import type { Database, TradeRow } from '@kervan/database';
import { sql } from 'kysely';

const POLL_MS = 500;

export type NonceLanes = ReturnType<typeof createNonceLanes>;

/**
 * One lane per EVM account: only the trade that holds it may use the account's next nonce, from before it asks
 * the chain for it until it has ended. Because no other transaction of ours is then on its way, the next nonce
 * is always the chain's own count: there is no counter here that could drift, and no gap that could arise.
 *
 * The lane is a row, so it holds across processes and crashes; the trade's last transaction removes it.
 */
export function createNonceLanes(db: Database) {
  /** Trades of this process that wait for a lane, so that its release need not be polled for. */
  const waiting = new Map<string, Set<() => void>>();

  async function tryTake(trade: TradeRow): Promise<boolean> {
    const { rows } = await sql<{ trade_id: string }>`
      with taken as (
        insert into nonce_lanes (network, address, trade_id)
        values (${trade.network}, ${trade.wallet_address}, ${trade.id})
        on conflict (network, address) do nothing
        returning trade_id
      )
      select trade_id from taken
      union all
      select trade_id from nonce_lanes where network = ${trade.network} and address = ${trade.wallet_address}`.execute(
      db,
    );
    return rows.some((row) => row.trade_id === trade.id);
  }

  /** Waits for the lane; rejects with the signal's reason when it aborts first. */
  async function take(trade: TradeRow, signal: AbortSignal): Promise<void> {
    const key = laneKey(trade);
    while (!(await tryTake(trade))) {
      signal.throwIfAborted();
      await nextRelease(key, signal);
    }
  }

  async function nextRelease(key: string, signal: AbortSignal): Promise<void> {
    const released = new AbortController();
    const wake = () => released.abort();
    const wakers = waiting.get(key) ?? new Set();
    waiting.set(key, wakers.add(wake));
    try {
      // Polled as well: the holder may live in another process.
      await delay(POLL_MS, undefined, { signal: AbortSignal.any([signal, released.signal]) });
    } catch (error) {
      if (!released.signal.aborted) throw error;
    } finally {
      wakers.delete(wake);
      if (wakers.size === 0) waiting.delete(key);
    }
  }

  /** To be called after the transaction that ended the trade: wakes the longest waiting trade of this process. */
  function released(trade: TradeRow): void {
    const [first] = waiting.get(laneKey(trade)) ?? [];
    first?.();
  }

  return { take, released };
}

function laneKey(trade: TradeRow): string {
  return `${trade.network} ${trade.wallet_address}`;
}
