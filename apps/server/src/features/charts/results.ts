import type { Chain, Network } from '@kervan/contract';
import type { Database, Schema } from '@kervan/database';
import { openStates } from '@kervan/domain';
import { sql, type Transaction } from 'kysely';

export interface DayResult {
  /** YYYY-MM-DD, UTC. */
  readonly date: string;
  readonly netUnits: bigint;
  readonly trades: number;
}

/**
 * What the user's trades of a network brought by day since `from`. Days of which no trade can be open any more are
 * added up once and kept, so that only the last ones are counted anew.
 */
export async function readResults(
  db: Database,
  { userId, chain, network }: { userId: string; chain: Chain; network: Network },
  from: Date,
): Promise<DayResult[]> {
  return await db.transaction().execute(async (trx) => {
    const until = await closeDays(trx, userId);
    const { rows } = await sql<{ day: string; net_units: bigint; trades: number }>`
      select to_char(day, 'YYYY-MM-DD') as day, net_units, trades from (
        select day, net_units, trades from result_days
        where user_id = ${userId} and chain = ${chain} and network = ${network}
        union all
        select day, net_units, trades from (${daysOf(userId, until, null)}) as open_days
        where chain = ${chain} and network = ${network}
      ) as days
      where day >= (${from}::timestamptz at time zone 'UTC')::date
      order by day`.execute(trx);
    return rows.map(({ day, net_units, trades }) => ({ date: day, netUnits: net_units, trades }));
  });
}

/** Adds up the days that are over of every user with trades, so that whoever looks first does not wait for it. */
export async function addUpDays(db: Database, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from users where exists (select 1 from trades where user_id = users.id)`.execute(db);
  for (const { id } of rows) {
    if (signal.aborted) return;
    await db.transaction().execute((trx) => closeDays(trx, id));
  }
}

/** Adds up what has become complete; answers the first day that is not, as YYYY-MM-DD. */
async function closeDays(trx: Transaction<Schema>, userId: string): Promise<string> {
  await sql`
    insert into result_watermarks (user_id, until) values (${userId}, '-infinity')
    on conflict do nothing`.execute(trx);
  // Whoever else reads this user's results waits here, and finds the days closed.
  const marks = await sql<{ done: string; next: string }>`
    select until::text as done, greatest(until, least(
      -- What was planned before midnight may be committed a little after it.
      ((now() - interval '1 hour') at time zone 'UTC')::date,
      -- A trade that is open has not been executed before it was planned.
      (select (min(planned_at) at time zone 'UTC')::date from trades
        where user_id = ${userId} and state = any(${openStates}))
    ))::text as next
    from result_watermarks where user_id = ${userId} for update`.execute(trx);
  const [mark] = marks.rows;
  if (!mark || mark.done === mark.next) return mark?.done ?? '-infinity';
  await sql`
    insert into result_days (user_id, chain, network, day, net_units, trades)
    select ${userId}, chain, network, day, net_units, trades
    from (${daysOf(userId, mark.done, mark.next)}) as closed`.execute(trx);
  await sql`update result_watermarks set until = ${mark.next}::date where user_id = ${userId}`.execute(trx);
  return mark.next;
}

/** Landed trades by day from one day up to another, which is not included: sales less purchases, fees and tips. */
function daysOf(userId: string, from: string, until: string | null) {
  const end = until === null ? sql`true` : sql`executed_at < ${until}::date::timestamp at time zone 'UTC'`;
  return sql`
    select chain, network, (executed_at at time zone 'UTC')::date as day,
      sum(
        -- A transfer moves coins between one's own wallets: what it cost counts, what it moved does not.
        case when kind <> 'swap' or state <> 'success' then 0 when action = 'sell' then native_units else -native_units end
        - coalesce(fee_units, 0) - coalesce(tip_units, 0)
      ) as net_units,
      count(*) filter (where kind = 'swap' and state = 'success')::int as trades
    from trades
    where user_id = ${userId} and executed_at >= ${from}::date::timestamp at time zone 'UTC' and ${end}
      and (state = 'success' or coalesce(fee_units, 0) > 0)
    group by 1, 2, 3`;
}
