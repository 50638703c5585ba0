import type { Database, Queryable, Schema, TradeRow } from '@kervan/database';
import { sql, type Transaction } from 'kysely';
import { chooseSegments, type ChosenSegments } from './choose-segments.ts';
import { countSegments } from './count-segments.ts';
import { kindMatches, tradeMatches, type LedgerFilter } from './ledger-filter.ts';
import { blockOfLate, isNewest } from './tail-places.ts';

export interface LedgerPage {
  readonly trades: TradeRow[];
  /** All that the filter lets through, at the moment at which the page was read. */
  readonly total: number;
}

export interface PageOrder {
  readonly offset: number;
  readonly limit: number;
  readonly direction: 'asc' | 'desc';
}

/** Runs queries that all see the database as it was at one moment. */
export async function atOneMoment<T>(
  db: Database,
  read: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/** Some of a user's ended trades by (executed_at, id), and how many there are, exactly; to be called in `atOneMoment`. */
export async function readPage(
  trx: Queryable,
  filter: LedgerFilter,
  { offset, limit, direction }: PageOrder,
): Promise<LedgerPage> {
  const segments = await countSegments(trx, filter);
  const total = segments.reduce((sum, { matches }) => sum + matches, 0);
  const ordered = direction === 'desc' ? segments : segments.toReversed();
  const chosen = chooseSegments(ordered, offset, limit);
  const trades = await readSegments(trx, filter, chosen, limit, direction);
  return { trades, total };
}

async function readSegments(
  trx: Queryable,
  filter: LedgerFilter,
  { segments, skip }: ChosenSegments,
  limit: number,
  direction: 'asc' | 'desc',
): Promise<TradeRow[]> {
  if (segments.length === 0) return [];
  const { userId } = filter;
  const blockIds = segments.flatMap(({ blockId }) => (blockId === null ? [] : [blockId]));
  const hasNewest = segments.some(({ blockId }) => blockId === null);
  const down = direction === 'desc' ? sql`desc` : sql`asc`;
  const { rows } = await sql<TradeRow>`
    with matching as (
      select entry.executed_at, entry.trade_id
      from ledger_runs as run, lateral (
        select entry.executed_at, entry.trade_id from ledger_entries as entry
        where entry.run_id = run.id and ${tradeMatches(filter, 'entry')}
        offset 0
      ) as entry
      where run.block_id = any(${blockIds}::bigint[]) and ${kindMatches(filter, 'run')}
      union all
      select tail.executed_at, tail.trade_id from ledger_tail as tail
      where tail.user_id = ${userId} and ${kindMatches(filter, 'tail')} and ${tradeMatches(filter, 'tail')}
        and case when ${isNewest(userId)} then ${hasNewest}
          else ${blockOfLate(userId)} = any(${blockIds}::bigint[]) end
    ), page as materialized (
      select trade_id from matching order by executed_at ${down}, trade_id ${down} offset ${skip} limit ${limit}
    )
    select trades.* from page, lateral (select * from trades where id = page.trade_id offset 0) as trades
    order by coalesce(trades.executed_at, trades.ended_at) ${down}, trades.id ${down}`.execute(trx);
  return rows;
}
