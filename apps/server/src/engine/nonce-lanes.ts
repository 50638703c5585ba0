import { setTimeout as delay } from 'node:timers/promises';
import type { Database, TradeRow } from '@kervan/database';
import { sql } from 'kysely';
import { LeaseLostError } from './trade-leases.ts';

const POLL_MS = 500;

export type NonceLanes = ReturnType<typeof createNonceLanes>;

/**
 * One lane per EVM account: only the trade that holds it may use the account's next nonce, from before it asks
 * the chain for it until it has ended. Because no other transaction of ours is then on its way, the next nonce
 * is always the chain's own count: there is no counter here that could drift, and no gap that could arise.
 *
 * The lane is a row, so it holds across processes and crashes; the trade's last transaction removes it.
 */
export function createNonceLanes(db: Database, owner: string) {
  /** Trades of this process that wait for a lane, so that its release need not be polled for. */
  const waiting = new Map<string, Set<() => void>>();

  /**
   * Takes the lane if it is free, or held by a trade that has ended. Only for an open trade whose lease is ours, and
   * that stays so until the row is written: a process that slept through its lease must not take the lane for a
   * trade which another one has ended meanwhile, since nobody would ever give it back.
   */
  async function tryTake(trade: TradeRow): Promise<boolean> {
    const { rows } = await sql<{ is_ours: boolean; is_held: boolean }>`
      with ours as (
        select id from trades
        where id = ${trade.id} and lease_owner = ${owner} and state in ('planned', 'signed')
        for key share
      ), taken as (
        insert into nonce_lanes as lane (network, address, trade_id)
        select ${trade.network}, ${trade.wallet_address}, id from ours
        on conflict (network, address) do update set trade_id = excluded.trade_id
        where not exists (
          select from trades where trades.id = lane.trade_id and state in ('planned', 'signed')
        )
        returning trade_id
      )
      select
        exists (select from ours) as is_ours,
        exists (select from taken) or exists (
          select from nonce_lanes
          where network = ${trade.network} and address = ${trade.wallet_address} and trade_id = ${trade.id}
        ) as is_held`.execute(db);
    if (!rows[0]?.is_ours) throw new LeaseLostError(trade.id);
    return rows[0].is_held;
  }

  /** Waits for the lane; rejects with the signal's reason when it aborts first, with LeaseLostError when it is not ours to take. */
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
