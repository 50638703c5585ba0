import type { FastifyInstance } from 'fastify';
import { routes } from '@kervan/contract';
import { register } from '../../http/register.ts';
import type { SandboxService } from './service.ts';

export function sandboxRoutes(app: FastifyInstance, sandbox: SandboxService): void {
  register(app, routes.getSandbox, () => sandbox.describe());
  register(app, routes.faucet, ({ body }) => sandbox.grant(body));
  register(app, routes.getWeather, () => sandbox.weather());
  register(app, routes.setWeather, ({ body }) => sandbox.setWeather(body));
}
