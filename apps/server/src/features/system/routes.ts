import type { FastifyInstance, FastifyRequest } from 'fastify';
import { KervanError, routes } from '@kervan/contract';
import { register } from '../../http/register.ts';
import type { HealthCheck } from './health.ts';
import type { Metrics } from './metrics.ts';

export function systemRoutes(app: FastifyInstance, checkHealth: HealthCheck, metrics: Metrics): void {
  register(app, routes.health, async ({ response }) => {
    const health = await checkHealth();
    if (health.status === 'down') void response.code(503);
    return health;
  });

  // For the Prometheus of this machine: other machines, and what a proxy passes on, find nothing here.
  app.route({
    method: 'GET',
    url: '/metrics',
    schema: { hide: true },
    async handler(request, response) {
      if (!isLocal(request)) throw new KervanError('ROUTE_NOT_FOUND');
      void response.type(metrics.contentType).serializer(String);
      return metrics.text();
    },
  });
}

function isLocal({ ip, headers }: FastifyRequest): boolean {
  const isLoopback = ip === '127.0.0.1' || ip === '::1' || ip === '::ffff:127.0.0.1';
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}
