import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Role } from './config.ts';
import { authRoutes } from './features/auth/routes.ts';
import { botRoutes } from './features/bots/routes.ts';
import { sandboxRoutes } from './features/sandbox/routes.ts';
import { settingsRoutes } from './features/settings/routes.ts';
import { systemRoutes } from './features/system/routes.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { tradeRoutes } from './features/trades/routes.ts';
import { walletRoutes } from './features/wallets/routes.ts';
import { addAuthentication } from './http/authenticate.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { addIdempotency } from './http/idempotency.ts';
import { addOpenApi } from './http/openapi.ts';
import { addRateLimit } from './http/rate-limit.ts';
import { VERSION } from './lib/package-version.ts';
import type { Services } from './services.ts';

export interface AppOptions {
  logger: Logger;
  role: Role;
  /** Null: no ceiling, for tests. */
  requestsPerMinute: number | null;
}

/** The HTTP server: what holds for all routes, then the features, then the sockets. */
export async function buildApp(services: Services, options: AppOptions): Promise<FastifyInstance> {
  const log: FastifyBaseLogger = options.logger;
  const app = await createHttpServer(log, (request) => services.metrics.requestEnded(request));
  addAuthentication(app, services.auth.authenticate);
  addIdempotency(app, services.db);
  if (options.requestsPerMinute !== null) await addRateLimit(app, options.requestsPerMinute);
  await addOpenApi(app, VERSION);

  await app.register(async (api) => {
    systemRoutes(api, services.checkHealth, services.metrics);
    // A worker trades and answers for its health; the public API is another process's.
    if (options.role === 'worker') return;
    authRoutes(api, services.auth);
    walletRoutes(api, services.wallets);
    botRoutes(api, services.bots, services.executeNow);
    tokenRoutes(api, services.tokens);
    tradeRoutes(api, services.trades);
    settingsRoutes(api, services);
    sandboxRoutes(api, services.sandbox);
  });

  services.realtime.attach(app.server, {
    log: options.logger,
    authenticate: services.auth.authenticate,
    bots: services.bots,
  });
  app.addHook('preClose', async () => services.realtime.disconnectAll());
  return app;
}
