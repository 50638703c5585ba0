import type { Chain, Network } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { openStates } from '@kervan/domain';
import { sql } from 'kysely';

/** Another process has taken the trade over: whoever hears this stops at once and changes nothing. */
export class LeaseLostError extends Error {
  constructor(tradeId: string) {
    super(`the lease of trade ${tradeId} is held by another process`);
    this.name = 'LeaseLostError';
  }
}

/** An open trade that nobody drives. */
export interface AbandonedTrade {
  readonly id: string;
  readonly chain: Chain;
  readonly network: Network;
  readonly user_id: string;
}

/** How long from now a lease holds, by the database's clock: the processes' own may differ. */
export function leaseEnd(leaseMs: number) {
  return sql<Date>`now() + ${leaseMs} * interval '1 millisecond'`;
}

/** Which process drives which trade. A lease that is not renewed in time runs out, and the trade is anybody's. */
export function createTradeLeases(db: Database, owner: string, leaseMs: number) {
  /** Keeps the leases of the trades that this process drives. */
  async function renew(tradeIds: readonly string[]): Promise<void> {
    if (tradeIds.length === 0) return;
    // In one order with all others who lock several trades. One that is being written is renewed the next time.
    await sql`
      update trades set lease_until = ${leaseEnd(leaseMs)}
      from (
        select id from trades
        where id = any(${tradeIds}::uuid[]) and lease_owner = ${owner} and state = any(${openStates})
        order by id for update skip locked
      ) as ours
      where trades.id = ours.id`.execute(db);
  }

  /** Open trades whose process has not renewed its lease in time, those longest abandoned first. */
  async function findAbandoned(limit: number): Promise<AbandonedTrade[]> {
    return await db
      .selectFrom('trades')
      .select(['id', 'chain', 'network', 'user_id'])
      .where('state', 'in', openStates)
      .where('lease_until', '<', sql<Date>`now()`)
      .orderBy('lease_until')
      .limit(limit)
      .execute();
  }

  /**
   * Takes abandoned trades over; answers those that no other process took first. The trades of a bundle come all
   * together, asked for or not, or none of them: its next step is one for all.
   */
  async function adopt(tradeIds: readonly string[]): Promise<string[]> {
    if (tradeIds.length === 0) return [];
    const { rows } = await sql<{ id: string }>`
      with asked as (
        select id, bundle_id from trades where id = any(${tradeIds}::uuid[])
      ), free as (
        select id, bundle_id from trades
        where id in (
            select id from asked
            union select trades.id from trades join asked using (bundle_id)
          ) and state in ('planned', 'signed') and lease_until < now()
        for update skip locked
      )
      update trades set lease_owner = ${owner}, lease_until = ${leaseEnd(leaseMs)}
      from free
      where trades.id = free.id and (
        free.bundle_id is null
        or (select count(*) from free as freed where freed.bundle_id = free.bundle_id)
          = (select count(*) from trades as leg where leg.bundle_id = free.bundle_id and leg.state in ('planned', 'signed'))
      )
      returning trades.id`.execute(db);
    return rows.map((row) => row.id);
  }

  /** Gives up leases of this process, one trade's or all, so that another process need not wait for them. */
  async function release(tradeId?: string): Promise<void> {
    const own = db
      .updateTable('trades')
      .set({ lease_owner: null, lease_until: new Date(0) })
      .where('lease_owner', '=', owner)
      .where('state', 'in', openStates);
    await (tradeId === undefined ? own : own.where('id', '=', tradeId)).execute();
  }

  return { renew, findAbandoned, adopt, release };
}
