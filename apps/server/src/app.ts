import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { authRoutes } from './features/auth/routes.ts';
import { botRoutes } from './features/bots/routes.ts';
import { fastSwapRoutes } from './features/fast-swap/routes.ts';
import { enterpriseRoutes } from './features/enterprise/routes.ts';
import { chartRoutes } from './features/charts/routes.ts';
import { sandboxRoutes } from './features/sandbox/routes.ts';
import { settingsRoutes } from './features/settings/routes.ts';
import { solanaRpcRoutes } from './features/solana-rpc/routes.ts';
import { systemRoutes } from './features/system/routes.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { tradeRoutes } from './features/trades/routes.ts';
import { volumeRoutes } from './features/volume/routes.ts';
import { walletRoutes } from './features/wallets/routes.ts';
import { createHostRule } from './http/allowed-hosts.ts';
import { addAuthentication } from './http/authenticate.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { addIdempotency } from './http/idempotency.ts';
import { addOpenApi } from './http/openapi.ts';
import { addRateLimit } from './http/rate-limit.ts';
import { addWebApp } from './http/web-app.ts';
import { VERSION } from './lib/package-version.ts';
import type { Services } from './services.ts';

export interface AppOptions {
  logger: Logger;
  config: Pick<Config, 'role' | 'host' | 'hosts'>;
  /** Null: no ceiling, for tests. */
  requestsPerMinute: number | null;
}

/** The HTTP server: what holds for all routes, then the features, then the sockets. */
export async function buildApp(services: Services, options: AppOptions): Promise<FastifyInstance> {
  const log: FastifyBaseLogger = options.logger;
  const isHostAllowed = createHostRule(options.config);
  const app = await createHttpServer({
    log,
    isHostAllowed,
    onRequestEnded: (request) => services.metrics.requestEnded(request),
  });
  addAuthentication(app, services.auth.authenticate);
  addIdempotency(app, services.db);
  if (options.requestsPerMinute !== null) await addRateLimit(app, options.requestsPerMinute);
  // A worker trades and answers for its health: web app, API, documentation and sockets are another process's.
  const isWorker = options.config.role === 'worker';
  if (!isWorker) {
    await addWebApp(app);
    await addOpenApi(app, VERSION);
  }

  await app.register(async (api) => {
    systemRoutes(api, services.checkHealth, services.metrics);
    if (isWorker) return;
    authRoutes(api, services.auth);
    walletRoutes(api, services.wallets);
    botRoutes(api, services.bots, services.executeNow);
    fastSwapRoutes(api, services);
    tokenRoutes(api, services.tokens);
    volumeRoutes(api, services.volume, services.startVolume);
    tradeRoutes(api, services.trades);
    enterpriseRoutes(api, services.enterprise, services.clock);
    chartRoutes(api, services.charts);
    settingsRoutes(api, services);
    solanaRpcRoutes(api, services.solanaRpc);
    sandboxRoutes(api, services.sandbox);
  });

  if (isWorker) return app;
  services.realtime.attach(app.server, {
    log: options.logger,
    isHostAllowed,
    authenticate: services.auth.authenticate,
    bots: services.bots,
  });
  app.addHook('preClose', async () => services.realtime.disconnectAll());
  return app;
}
