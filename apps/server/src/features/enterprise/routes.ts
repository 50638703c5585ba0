import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { enterpriseCsvName, routes } from '@kervan/contract';
import { register, registerFile, reply } from '../../http/register.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EnterpriseService } from './service.ts';

export function enterpriseRoutes(app: FastifyInstance, enterprise: EnterpriseService, clock: Clock): void {
  register(app, routes.enterpriseLogs, async ({ user, query }) => {
    const { page, limit, ...filters } = query;
    const { logs, total } = await enterprise.page(user.id, filters, { page, limit });
    const pagination = { total, page, limit };
    return reply({ logs, ...pagination }, { pagination });
  });

  registerFile(app, routes.enterpriseLogsCsv, async ({ user, query }) => ({
    name: enterpriseCsvName(clock()),
    content: Readable.from(enterprise.csv(user.id, query)),
  }));
}
