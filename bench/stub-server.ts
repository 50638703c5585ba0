/** The server as it is, but for its networks: both chains are stubs behind the port. */
import { KervanError, type Chain } from '@kervan/contract';
import { buildApp } from '../apps/server/src/app.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { createNetworks, type Networks } from '../apps/server/src/engine/networks.ts';
import { createLogger } from '../apps/server/src/lib/logger.ts';
import { createServices } from '../apps/server/src/services.ts';
import { createStubChain } from './lib/stub-chain.ts';

const config = readConfig(process.env);
const logger = createLogger(config.logLevel);
const real = createNetworks({ sandboxPorts: undefined });
const chains = {
  solana: createStubChain('solana', real.keys('solana')),
  bsc: createStubChain('bsc', real.keys('bsc')),
};
function port(chain: Chain, network: string) {
  if (network !== 'sandbox') throw new KervanError('NETWORK_UNAVAILABLE', { chain, network });
  return chains[chain];
}
const networks: Networks = {
  ...real,
  port,
  verifiedPort: (chain, network) => Promise.resolve(port(chain, network)),
};

const services = await createServices(config, logger, { networks });
const app = await buildApp(services, { logger, config, requestsPerMinute: null });
async function stop(): Promise<void> {
  await app.close();
  await services.stop();
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.on('disconnect', () => void stop());

await services.start();
await app.listen({ host: config.host, port: config.port });
const [address] = app.addresses();
process.send?.({ ready: true, port: typeof address === 'object' ? address.port : config.port });
