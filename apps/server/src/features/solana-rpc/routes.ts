import type { FastifyInstance } from 'fastify';
import { routes } from '@kervan/contract';
import { register } from '../../http/register.ts';
import type { SolanaRpcService } from './service.ts';

export function solanaRpcRoutes(app: FastifyInstance, rpc: SolanaRpcService): void {
  register(app, routes.solanaRpc, async ({ user, body }) => ({ result: await rpc.call(user.id, body) }));
}
