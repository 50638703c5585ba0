import type { FastifyInstance } from 'fastify';
import { KervanError, routes } from '@kervan/contract';
import { toTrade } from '../../engine/to-trade.ts';
import { register, reply } from '../../http/register.ts';
import type { TradesRepository } from './repository.ts';
import { toTradeDetail } from './to-trade-detail.ts';

export function tradeRoutes(app: FastifyInstance, trades: TradesRepository): void {
  register(app, routes.listTrades, async ({ user, query }) => {
    const { page, limit } = query;
    const found = await trades.page(user.id, query);
    const pagination = { total: found.total, page, limit };
    return reply({ trades: found.trades.map((row) => toTrade(row)), ...pagination }, { pagination });
  });

  register(app, routes.getTrade, async ({ user, params }) => {
    const row = await trades.find(user.id, params.id);
    if (!row) throw new KervanError('TRADE_NOT_FOUND');
    return toTradeDetail(row, await trades.attempts(row.id));
  });
}
