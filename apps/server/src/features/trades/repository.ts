import type { z } from 'zod';
import type { tradesQuery } from '@kervan/contract';
import type { AttemptRow, Database, Queryable, TradeRow } from '@kervan/database';
import { openStates } from '@kervan/domain';
import type { OrderByItemBuilder } from 'kysely';
import { atOneMoment, readPage, type LedgerPage } from '../../ledger/read-page.ts';

export type TradesQuery = z.output<typeof tradesQuery>;

export type TradesRepository = ReturnType<typeof createTradesRepository>;

interface Slice {
  readonly offset: number;
  readonly limit: number;
}

export function createTradesRepository(db: Database) {
  return {
    /** Open trades are the newest of all: they come first going down and last going up. */
    async page(userId: string, query: TradesQuery): Promise<LedgerPage> {
      const slice = { offset: (query.page - 1) * query.limit, limit: query.limit };
      if (query.bot_id !== undefined || query.session_id !== undefined)
        return await atOneMoment(db, (trx) => pageByIndex(trx, userId, query, slice));
      return await atOneMoment(db, async (trx) => {
        if (query.sort_order === 'asc') {
          const ended = await endedTrades(trx, userId, query, slice);
          const open = await openTrades(trx, userId, query, restOf(slice, ended));
          return joined(ended, open);
        }
        const open = await openTrades(trx, userId, query, slice);
        const ended = await endedTrades(trx, userId, query, restOf(slice, open));
        return joined(open, ended);
      });
    },

    async find(userId: string, id: string): Promise<TradeRow | undefined> {
      return await db
        .selectFrom('trades')
        .selectAll()
        .where('kind', '=', 'swap')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
    },

    /** Everything that was signed for a trade, the first first. */
    async attempts(tradeId: string): Promise<AttemptRow[]> {
      return await db
        .selectFrom('trade_attempts')
        .selectAll()
        .where('trade_id', '=', tradeId)
        .orderBy('number')
        .execute();
    },
  };
}

async function endedTrades(
  trx: Queryable,
  userId: string,
  query: TradesQuery,
  slice: Slice,
): Promise<LedgerPage> {
  const { chain, network, source, action, status } = query;
  if (status === 'pending') return { trades: [], total: 0 };
  const filter = { userId, chain, network, source, action, state: status };
  return await readPage(trx, filter, { ...slice, direction: query.sort_order });
}

async function openTrades(
  trx: Queryable,
  userId: string,
  query: TradesQuery,
  slice: Slice,
): Promise<LedgerPage> {
  if (query.status !== undefined && query.status !== 'pending') return { trades: [], total: 0 };
  return await pageByIndex(trx, userId, { ...query, status: 'pending' }, slice);
}

/** For trades that are few or have an index of their own: one bot's or session's, and open ones. */
async function pageByIndex(
  trx: Queryable,
  userId: string,
  query: TradesQuery,
  { offset, limit }: Slice,
): Promise<LedgerPage> {
  const rows = matching(trx, userId, query);
  const byTime = (order: OrderByItemBuilder) =>
    query.sort_order === 'desc' ? order.desc().nullsFirst() : order.asc().nullsLast();
  // The rows before the page are skipped in the index alone.
  const page = rows
    .select('id as trade_id')
    .orderBy('executed_at', byTime)
    .orderBy('id', query.sort_order)
    .limit(limit)
    .offset(offset);
  const trades = await trx
    .selectFrom(page.as('page'))
    .innerJoin('trades', 'trades.id', 'page.trade_id')
    .selectAll('trades')
    .orderBy('executed_at', byTime)
    .orderBy('id', query.sort_order)
    .execute();
  const { total } = await rows
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow();
  return { trades, total: Number(total) };
}

function matching(trx: Queryable, userId: string, query: TradesQuery) {
  let rows = trx.selectFrom('trades').where('kind', '=', 'swap').where('user_id', '=', userId);
  if (query.bot_id !== undefined)
    rows = rows.where('source_id', '=', query.bot_id).where('source', '=', 'bot');
  if (query.session_id !== undefined)
    rows = rows.where('source_id', '=', query.session_id).where('source', '=', 'volume');
  if (query.chain !== undefined) rows = rows.where('chain', '=', query.chain);
  if (query.network !== undefined) rows = rows.where('network', '=', query.network);
  if (query.source !== undefined) rows = rows.where('source', '=', query.source);
  if (query.action !== undefined) rows = rows.where('action', '=', query.action);
  // Only open trades have no time; by that the index finds them.
  if (query.status === 'pending')
    rows = rows.where('executed_at', 'is', null).where('state', 'in', openStates);
  else if (query.status !== undefined) rows = rows.where('state', '=', query.status);
  return rows;
}

/** What of a slice remains for those that come after a first part. */
function restOf({ offset, limit }: Slice, first: LedgerPage): Slice {
  return { offset: Math.max(0, offset - first.total), limit: limit - first.trades.length };
}

function joined(first: LedgerPage, second: LedgerPage): LedgerPage {
  return { trades: [...first.trades, ...second.trades], total: first.total + second.total };
}
