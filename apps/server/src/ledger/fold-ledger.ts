import type { Database, Schema } from '@kervan/database';
import { sql, type Transaction } from 'kysely';
import { blockOfLate, isLate, isNewest } from './tail-places.ts';

export interface FoldSizes {
  /** Trades of a block. A page is read out of one, so its size bounds what a page costs. */
  readonly block: number;
  /** So many trades that came late are put into the blocks of their time; fewer are counted one by one. */
  readonly late: number;
  /** Trades younger than this stay in the tail: others of their time may still be on their way. */
  readonly minAgeMs: number;
}

export const FOLD_SIZES: FoldSizes = { block: 16_384, late: 500, minAgeMs: 60_000 };

/** A namespace of its own among the advisory locks, which are keyed by the user beside it. */
const FOLD_LOCK = 7710002;

/** Moves ended trades from the tail into blocks, for every user with enough of them. */
export async function foldLedger(db: Database, sizes: FoldSizes = FOLD_SIZES): Promise<void> {
  const users = await db
    .selectFrom('ledger_tail')
    .select('user_id')
    .groupBy('user_id')
    .having(({ fn }) => fn.countAll(), '>=', Math.min(sizes.block, sizes.late))
    .execute();
  for (const { user_id: userId } of users) {
    let isFolded = true;
    while (isFolded)
      isFolded = await db.transaction().execute(async (trx) => await foldUser(trx, userId, sizes));
  }
}

/** One block, or the late trades; false when there was nothing to do, or another process is at it. */
async function foldUser(trx: Transaction<Schema>, userId: string, sizes: FoldSizes): Promise<boolean> {
  const lock = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(${FOLD_LOCK}, hashtext(${userId})) as is_mine`.execute(trx);
  if (!lock.rows[0]?.is_mine) return false;
  if (await takeLateIn(trx, userId, sizes)) return true;

  const oldEnough = new Date(Date.now() - sizes.minAgeMs);
  await sql`
    create temporary table fold_part on commit drop as
    select * from ledger_tail as tail
    where user_id = ${userId} and executed_at <= ${oldEnough} and ${isNewest(userId)}
    order by executed_at, trade_id limit ${sizes.block}`.execute(trx);
  const { rows } = await sql<{ size: bigint }>`select count(*) as size from fold_part`.execute(trx);
  if (Number(rows[0]?.size) < sizes.block) return false;
  await writeBlock(trx, userId);
  return true;
}

/** Makes the blocks anew to which late trades belong, if there are enough of those. */
async function takeLateIn(trx: Transaction<Schema>, userId: string, sizes: FoldSizes): Promise<boolean> {
  const { rows: blocks } = await sql<{ id: bigint; late: bigint }>`
    select id, count(*) as late from (
      select ${blockOfLate(userId)} as id
      from ledger_tail as tail where tail.user_id = ${userId} and ${isLate(userId)}
    ) as late group by id`.execute(trx);
  if (blocks.reduce((sum, { late }) => sum + Number(late), 0) < sizes.late) return false;
  for (const { id } of blocks) {
    await sql`
      create temporary table fold_part on commit drop as
      select tail.* from ledger_tail as tail
      where tail.user_id = ${userId} and ${isLate(userId)}
        and ${blockOfLate(userId)} = ${id}
      union all
      select ${userId}::uuid, entry.trade_id, entry.executed_at, run.chain, run.network, run.source, run.action,
        run.state, entry.usd_micros
      from ledger_runs as run join ledger_entries as entry on entry.run_id = run.id where run.block_id = ${id}`.execute(
      trx,
    );
    await sql`delete from ledger_blocks where id = ${id}`.execute(trx);
    await writeBlock(trx, userId);
    await sql`drop table fold_part`.execute(trx);
  }
  return true;
}

/** Writes the trades of `fold_part` as one block. */
async function writeBlock(trx: Transaction<Schema>, userId: string): Promise<void> {
  await sql`
    with block as (
      insert into ledger_blocks (user_id, from_at, from_id, to_at, to_id)
      select ${userId}::uuid, first.executed_at, first.trade_id, last.executed_at, last.trade_id
      from (select executed_at, trade_id from fold_part order by executed_at, trade_id limit 1) as first,
        (select executed_at, trade_id from fold_part order by executed_at desc, trade_id desc limit 1) as last
      returning id
    ), runs as (
      insert into ledger_runs (block_id, chain, network, source, action, state, entries, valued)
      select block.id, chain, network, source, action, state, count(*), count(usd_micros)
      from fold_part, block
      group by block.id, chain, network, source, action, state
      returning *
    ), entries as (
      insert into ledger_entries (run_id, usd_micros, rank, executed_at, trade_id)
      select runs.id, usd_micros,
        case when usd_micros is not null then row_number() over (partition by runs.id order by usd_micros) end,
        executed_at, trade_id
      from fold_part join runs using (chain, network, source, action, state)
      order by runs.id, usd_micros
    )
    delete from ledger_tail using fold_part
    where ledger_tail.user_id = ${userId} and ledger_tail.executed_at = fold_part.executed_at
      and ledger_tail.trade_id = fold_part.trade_id`.execute(trx);
}
