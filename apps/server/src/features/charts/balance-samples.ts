import type { Chain, Network } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { sql } from 'kysely';
import type { Networks } from '../../engine/networks.ts';
import { readSettings } from '../../engine/user-settings.ts';
import type { Clock } from '../../lib/clock.ts';

/** A sample belongs to its minute: what is asked for twice in one is stored once. */
const MINUTE_MS = 60_000;
const TIMEOUT_MS = 20_000;
/** Of samples older than the first one an hour is kept, of those older than the second one a day. */
const HOURLY_AFTER_DAYS = 7;
const DAILY_AFTER_DAYS = 90;

export interface SampleKey {
  readonly userId: string;
  readonly chain: Chain;
  readonly network: Network;
}

interface Dependencies {
  readonly db: Database;
  readonly networks: Pick<Networks, 'verifiedPort'>;
  readonly clock: Clock;
}

export type BalanceSamples = ReturnType<typeof createBalanceSamples>;

/** The native coins of all of a user's wallets, from time to time. */
export function createBalanceSamples({ db, networks, clock }: Dependencies) {
  async function newestAt({ userId, chain, network }: SampleKey): Promise<Date | undefined> {
    const newest = await db
      .selectFrom('balance_samples')
      .select('at')
      .where('user_id', '=', userId)
      .where('chain', '=', chain)
      .where('network', '=', network)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return newest?.at;
  }

  /** Takes a sample unless there is one of this minute. Throws where the node can't be asked. */
  async function take(key: SampleKey): Promise<void> {
    const { userId, chain, network } = key;
    const at = new Date(Math.floor(clock().getTime() / MINUTE_MS) * MINUTE_MS);
    const newest = await newestAt(key);
    if (newest && newest >= at) return;
    const wallets = await db
      .selectFrom('wallets')
      .select('address')
      .where('user_id', '=', userId)
      .where('chain', '=', chain)
      .where('deleted_at', 'is', null)
      // A session's wallets are not among the user's; a pasted master's coins are not even theirs to be counted.
      .where('is_of_session', '=', false)
      .execute();
    // Who never had a wallet has no balance to be drawn; who has none any more has 0.
    if (wallets.length === 0 && !newest) return;
    const addresses = wallets.map(({ address }) => address);
    const port = await networks.verifiedPort(chain, network, userId);
    const balances =
      addresses.length === 0
        ? new Map<string, bigint>()
        : await port.balances(addresses, AbortSignal.timeout(TIMEOUT_MS));
    const native_units = [...balances.values()].reduce((sum, units) => sum + units, 0n);
    await db
      .insertInto('balance_samples')
      .values({ user_id: userId, chain, network, at, native_units })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Samples every user's chosen networks; a node that can't be asked leaves a gap. */
  async function takeAll(signal: AbortSignal): Promise<void> {
    const users = await db.selectFrom('wallets').select('user_id').distinct().execute();
    const aborted = Promise.withResolvers<void>();
    const stop = () => aborted.resolve();
    signal.addEventListener('abort', stop);
    try {
      for (const { user_id: userId } of users) {
        const settings = await readSettings(db, userId);
        for (const chain of ['solana', 'bsc'] as const) {
          if (signal.aborted) return;
          const sample = take({ userId, chain, network: settings[chain].network }).catch(() => {});
          // A node may be waited for; whoever ends the process is not to wait for it as well.
          await Promise.race([sample, aborted.promise]);
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Thins out what is old, so that a user's samples stay some thousands for ever. */
  async function thinOut(): Promise<void> {
    const now = clock();
    for (const [unit, days] of [
      ['hour', HOURLY_AFTER_DAYS],
      ['day', DAILY_AFTER_DAYS],
    ] as const) {
      const before = new Date(now.getTime() - days * 24 * 60 * MINUTE_MS);
      // The last of its hour or day stays: the time's end is what it stands for.
      await sql`
        delete from balance_samples as old where at < ${before} and exists (
          select 1 from balance_samples as later
          where later.user_id = old.user_id and later.chain = old.chain and later.network = old.network
            and later.at > old.at and later.at < ${before}
            and date_trunc(${sql.lit(unit)}, later.at) = date_trunc(${sql.lit(unit)}, old.at)
        )`.execute(db);
    }
  }

  /** At most `most` samples since `start`, the last of each part of the time; and the one that held at the start. */
  async function read(
    { userId, chain, network }: SampleKey,
    start: Date,
    most: number,
  ): Promise<{ at: Date; native_units: bigint }[]> {
    const { rows } = await sql<{ at: Date; native_units: bigint }>`
      with mine as (
        select at, native_units from balance_samples
        where user_id = ${userId} and chain = ${chain} and network = ${network}
      ), shown as (
        (select at, native_units from mine where at < ${start} order by at desc limit 1)
        union all
        (select at, native_units from mine where at >= ${start})
      )
      select at, native_units from (
        select distinct on (part) at, native_units
        from (
          select *, width_bucket(
            extract(epoch from at),
            (select extract(epoch from min(at)) from shown),
            (select extract(epoch from max(at)) + 1 from shown),
            ${most}::int
          ) as part from shown
        ) as parts
        order by part, at desc
      ) as last_ones order by at`.execute(db);
    return rows;
  }

  return { take, takeAll, thinOut, read };
}
