import type { Queryable } from '@kervan/database';
import { sql, type RawBuilder } from 'kysely';
import type { Segment } from './choose-segments.ts';
import { kindMatches, tradeMatches, type LedgerFilter } from './ledger-filter.ts';
import { blockOfLate, isLate, isNewest } from './tail-places.ts';

/**
 * How many trades the filter lets through, by segment, the newest segment first. A block that the filter's time covers
 * is counted by its runs: by their sizes, or by the ranks at the two ends of the asked values. Only the block that
 * begins before `since`, and the tail, are counted trade by trade.
 */
export async function countSegments(db: Queryable, filter: LedgerFilter): Promise<Segment[]> {
  const { userId, since } = filter;
  const { rows } = await sql<{ block_id: bigint | null; matches: bigint }>`
    with tail as materialized (
      select tail.executed_at, tail.trade_id from ledger_tail as tail
      where tail.user_id = ${userId} and ${kindMatches(filter, 'tail')} and ${tradeMatches(filter, 'tail')}
    ), counted as (
      select block.id as block_id, sum(${entriesOfRun(filter)}) as matches
      from ledger_blocks as block join ledger_runs as run on run.block_id = block.id
      where block.user_id = ${userId} and ${kindMatches(filter, 'run')}
        ${since ? sql`and block.to_at >= ${since}` : sql``}
      group by block.id
      union all
      -- Trades that ended after their time had gone into a block belong with it in the order of pages.
      select ${blockOfLate(userId)}, 1
      from tail where ${isLate(userId)}
      union all
      select null, count(*)
      from tail where ${isNewest(userId)}
    )
    select counted.block_id, sum(counted.matches)::bigint as matches
    from counted left join ledger_blocks as block on block.id = counted.block_id
    group by counted.block_id, block.from_at, block.from_id
    having sum(counted.matches) > 0
    order by block.from_at desc nulls first, block.from_id desc`.execute(db);
  return rows.map(({ block_id, matches }) => ({ blockId: block_id, matches: Number(matches) }));
}

function entriesOfRun(filter: LedgerFilter) {
  const whole = wholeRun(filter);
  const { since } = filter;
  if (!since) return whole;
  return sql`case when block.from_at >= ${since} then ${whole} else (
    select count(*) from ledger_entries as entry where entry.run_id = run.id and ${tradeMatches(filter, 'entry')}
  ) end`;
}

function wholeRun({ minMicros, maxMicros }: LedgerFilter) {
  if (minMicros === undefined && maxMicros === undefined) return sql`run.entries`;
  const upper = maxMicros === undefined ? sql`run.valued` : rankOfLast(sql`usd_micros <= ${maxMicros}`);
  const lower = minMicros === undefined ? sql`0` : rankOfLast(sql`usd_micros < ${minMicros}`);
  return sql`greatest(${upper} - ${lower}, 0)`;
}

/** How many of the run's trades lie before the end of a range. */
function rankOfLast(condition: RawBuilder<unknown>) {
  return sql`coalesce((
    select rank from ledger_entries
    where run_id = run.id and ${condition} order by run_id desc, usd_micros desc, rank desc limit 1
  ), 0)`;
}
