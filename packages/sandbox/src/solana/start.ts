import { join } from 'node:path';
import { serveLoopback, type HttpRoutes } from '../http.ts';
import { createWeather, type WeatherStation } from '../weather.ts';
import { blockEngineMethods } from './block-engine.ts';
import { createChain, type Retention } from './chain.ts';
import { controlRoutes } from './control.ts';
import { createFaucet } from './faucet.ts';
import { createGenesis, genesisHash } from './genesis.ts';
import { jupiterRoutes } from './jupiter.ts';
import { openLedgerStorage } from './ledger-storage.ts';
import { accountMethods } from './rpc/account-methods.ts';
import { clusterMethods } from './rpc/cluster-methods.ts';
import { jsonRpcHandler } from './rpc/json-rpc.ts';
import { serveSubscriptions } from './rpc/subscriptions.ts';
import { transactionMethods } from './rpc/transaction-methods.ts';
import type { SandboxToken } from './tokens.ts';

export interface SolanaSandbox {
  port: number;
  /** JSON-RPC, Jupiter, block engine and the sandbox's control routes. */
  url: string;
  wsUrl: string;
  genesisHash: string;
  tokens: SandboxToken[];
  /** What its swap transactions call to swap. */
  programs: string[];
  close(): Promise<void>;
}

/**
 * Starts the local Solana chain on loopback. Its files lie in `<dataDir>/sandbox/solana`; a later start
 * with the same directory goes on where this one ends, however it ends. Port 0 takes any free one.
 */
export async function startSolanaSandbox(options: {
  dataDir: string;
  port: number;
  now?: () => number;
  random?: () => number;
  retention?: Retention;
}): Promise<SolanaSandbox> {
  const weather = createWeather(options.random);
  const genesis = await createGenesis();
  const { storage, stored } = await openLedgerStorage(join(options.dataDir, 'sandbox', 'solana'));
  const chain = createChain({
    genesis,
    storage,
    stored,
    now: options.now ?? Date.now,
    areBlockhashesExpired: () => weather.current().expireBlockhashes,
    ...(options.retention && { retention: options.retention }),
  });
  const faucet = createFaucet(chain, genesis);
  const context = { chain, faucet, weather };
  const durable = (): Promise<void> => chain.durable();
  const rpc = { ...clusterMethods(context), ...accountMethods(context), ...transactionMethods(context) };
  const http = await serveLoopback({
    port: options.port,
    routes: {
      ...controlRoutes(genesis, faucet, weather),
      ...underWeather(weather, {
        'POST /': jsonRpcHandler(rpc, durable),
        'POST /api/v1/bundles': jsonRpcHandler(blockEngineMethods(context), durable),
        ...jupiterRoutes(chain, genesis),
      }),
    },
  });
  const subscriptions = serveSubscriptions({ server: http.server, chain, weather });
  return {
    port: http.port,
    url: `http://127.0.0.1:${http.port}`,
    wsUrl: `ws://127.0.0.1:${http.port}`,
    genesisHash,
    tokens: genesis.tokens,
    programs: [genesis.ammProgram],
    async close() {
      subscriptions.close();
      await http.close();
      await chain.close();
    },
  };
}

function underWeather(weather: WeatherStation, routes: HttpRoutes): HttpRoutes {
  return Object.fromEntries(Object.entries(routes).map(([route, handler]) => [route, weather.over(handler)]));
}
