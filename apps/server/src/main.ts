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
  // What a person can put right is said in a sentence; anything else with its stack.
  const isExpected = error instanceof ConfigError || error instanceof VaultError;
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack)}\n`);
  process.exit(1);
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  const services = await createServices(config, logger);
  const app = await buildApp(services, {
    logger,
    role: config.role,
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
