import { sql, type RawBuilder } from 'kysely';

/** Where a trade of `ledger_tail as tail` stands among its user's blocks, in the order of (executed_at, trade_id). */

/** Whether it is newer than all blocks. */
export function isNewest(userId: string): RawBuilder<boolean> {
  return sql`coalesce((tail.executed_at, tail.trade_id) > ${endOfBlocks(userId)}, true)`;
}

/** Whether it is not: it ended after its time had gone into a block. */
export function isLate(userId: string): RawBuilder<boolean> {
  return sql`(tail.executed_at, tail.trade_id) < ${endOfBlocks(userId)}`;
}

/** The block that a late trade belongs with: the last that begins before it, or the first of all. */
export function blockOfLate(userId: string): RawBuilder<bigint> {
  return sql`coalesce(
    (
      select id from ledger_blocks
      where user_id = ${userId} and (from_at, from_id) <= (tail.executed_at, tail.trade_id)
      order by from_at desc, from_id desc limit 1
    ),
    (select id from ledger_blocks where user_id = ${userId} order by from_at, from_id limit 1)
  )`;
}

function endOfBlocks(userId: string) {
  return sql`(
    select to_at, to_id from ledger_blocks where user_id = ${userId} order by from_at desc, from_id desc limit 1
  )`;
}
