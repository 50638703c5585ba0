import { setTimeout as delay } from 'node:timers/promises';
import { buildApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { createLogger } from './lib/logger.ts';
import { createServices } from './services.ts';
import { VaultError } from './vault/vault-error.ts';

/** Requests and signatures that are under way get this long to end. */
const STOP_MS = 8_000;
const REQUESTS_PER_MINUTE = 6_000;

try {
  await run();
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
}

/** What a person can put right is said in a sentence; anything else with its stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof VaultError) return error.message;
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }; // absent on most errors
  if (code === 'EADDRINUSE') return `Port ${port} is taken; set PORT.`;
  return error.stack ?? error.message;
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  const services = await createServices(config, logger);
  // From here on the vault alone has it.
  config.masterKey?.fill(0);
  delete process.env['KERVAN_MASTER_KEY'];
  const app = await buildApp(services, {
    logger,
    config,
    requestsPerMinute: REQUESTS_PER_MINUTE,
  });

  let isStopping = false;
  const stop = async (reason: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ reason }, 'stopping');
    const how = await Promise.race([stopAll(), delay(STOP_MS, 'forced', { ref: false })]);
    logger.info({ how }, 'stopped');
    process.exit(how === 'clean' ? 0 : 1);
  };
  const stopAll = async (): Promise<'clean' | 'failed'> => {
    try {
      await app.close();
      await services.stop();
      return 'clean';
    } catch (error) {
      logger.error({ err: error }, 'stopping failed');
      return 'failed';
    }
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  process.on('disconnect', () => void stop('the launcher has gone'));

  await services.start();
  await app.listen({
    host: config.host,
    port: config.port,
    listenTextResolver: (address) => `listening at ${address} as ${config.role}`,
  });
  // Not the configured one: that may be 0, for any free port.
  const [address] = app.addresses();
  const port = typeof address === 'object' ? address.port : config.port;
  process.send?.({ ready: true, port });
}
