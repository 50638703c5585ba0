import type { z } from 'zod';
import type { tradesQuery } from '@kervan/contract';
import type { AttemptRow, Queryable, TradeRow } from '@kervan/database';
import { openStates } from '@kervan/domain';

export type TradesQuery = z.output<typeof tradesQuery>;

export type TradesRepository = ReturnType<typeof createTradesRepository>;

export function createTradesRepository(db: Queryable) {
  function matching(userId: string, query: TradesQuery) {
    let rows = db.selectFrom('trades').where('user_id', '=', userId);
    if (query.bot_id !== undefined)
      rows = rows.where('source_id', '=', query.bot_id).where('source', '=', 'bot');
    if (query.chain !== undefined) rows = rows.where('chain', '=', query.chain);
    if (query.network !== undefined) rows = rows.where('network', '=', query.network);
    if (query.source !== undefined) rows = rows.where('source', '=', query.source);
    if (query.action !== undefined) rows = rows.where('action', '=', query.action);
    if (query.status === 'pending') rows = rows.where('state', 'in', openStates);
    else if (query.status !== undefined) rows = rows.where('state', '=', query.status);
    return rows;
  }

  return {
    async page(userId: string, query: TradesQuery): Promise<{ trades: TradeRow[]; total: number }> {
      const rows = matching(userId, query);
      // Open trades are the newest of all: they come first going down and last going up, as the index has them.
      const [trades, { total }] = await Promise.all([
        rows
          .selectAll()
          .orderBy('executed_at', (order) =>
            query.sort_order === 'desc' ? order.desc().nullsFirst() : order.asc().nullsLast(),
          )
          .orderBy('id', query.sort_order)
          .limit(query.limit)
          .offset((query.page - 1) * query.limit)
          .execute(),
        rows.select(({ fn }) => fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
      ]);
      return { trades, total: Number(total) };
    },

    async find(userId: string, id: string): Promise<TradeRow | undefined> {
      return await db
        .selectFrom('trades')
        .selectAll()
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
