import type { FastifyInstance } from 'fastify';
import { routes } from '@kervan/contract';
import { register } from '../../http/register.ts';
import type { TokensService } from './service.ts';

export function tokenRoutes(app: FastifyInstance, tokens: TokensService): void {
  register(app, routes.getToken, ({ user, params }) => tokens.lookUp(user.id, 'solana', params.mint));
  register(app, routes.getBscToken, ({ user, params }) => tokens.lookUp(user.id, 'bsc', params.address));
  register(app, routes.searchTokens, async ({ user, query }) => ({
    tokens: await tokens.search(user.id, query.chain, query.q),
  }));
}
