import type { FastifyInstance } from 'fastify';
import { routes } from '@kervan/contract';
import { register } from '../../http/register.ts';
import type { ChartsService } from './service.ts';

export function chartRoutes(app: FastifyInstance, charts: ChartsService): void {
  register(app, routes.balanceChart, ({ user, query }) => charts.balances(user.id, query.chain, query.range));
  register(app, routes.resultChart, ({ user, query }) => charts.results(user.id, query.chain, query.range));
  register(app, routes.botChart, ({ user, params, query }) => charts.bot(user.id, params.id, query.limit));
  register(app, routes.getPrices, ({ user }) => charts.prices(user.id));
}
