import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { HttpError, serveLoopback } from '../http.ts';
import { createWeather, type Weather, type WeatherStation } from '../weather.ts';
import { chainId, endOrphans } from './anvil.ts';
import type { Deployment } from './deploy.ts';
import { createFaucet } from './faucet.ts';
import { openLedger, type Retention } from './ledger.ts';
import { createRpcHandler } from './rpc.ts';

export interface BscSandbox {
  port: number;
  url: string;
  chainId: number;
  tokens: Deployment['tokens'];
  contracts: Deployment['contracts'];
  /** Process id of the node behind the proxy at this moment. */
  nodePid(): number;
  close(): Promise<void>;
}

/**
 * Starts the BSC sandbox on a loopback port (0 takes any free one), with its files in `<dataDir>/sandbox/bsc`.
 * The port serves JSON-RPC and the sandbox controls; the node behind it is reachable on a port of its own that
 * nobody is told. A lost node is replaced from snapshot and journal; what only a restart of the process can mend
 * goes to `onFatal`, which by default ends the process with the error.
 */
export async function startBscSandbox(options: {
  dataDir: string;
  port: number;
  onFatal?: (error: unknown) => void;
  retention?: Retention;
}): Promise<BscSandbox> {
  const { dataDir, port, onFatal = endProcess, retention } = options;
  const directory = path.resolve(dataDir, 'sandbox', 'bsc');
  mkdirSync(directory, { recursive: true });
  endOrphans(directory);
  const ledger = await openLedger({
    directory,
    onFatal,
    ...(retention && { retention }),
  });
  const { tokens, contracts } = ledger.deployment;
  const weather = createWeather();
  const rpc = createRpcHandler(ledger, weather);
  const grant = createFaucet(ledger);
  const server = await serveLoopback({
    port,
    routes: {
      'POST /': weather.over(({ body }) => rpc(body)),
      'GET /sandbox': () => ({ status: 200, body: { chainId, tokens, contracts } }),
      'POST /sandbox/faucet': async ({ body }) => ({ status: 200, body: { txId: await grant(body) } }),
      'GET /sandbox/weather': () => ({ status: 200, body: weather.current() }),
      'PUT /sandbox/weather': ({ body }) => ({ status: 200, body: changeWeather(weather, body) }),
    },
  });
  return {
    port: server.port,
    url: `http://127.0.0.1:${server.port}`,
    chainId,
    tokens,
    contracts,
    nodePid: () => ledger.nodePid(),
    async close() {
      await server.close();
      await ledger.close();
    },
  };
}

function changeWeather(weather: WeatherStation, patch: unknown): Weather {
  try {
    return weather.change(patch);
  } catch (error) {
    if (error instanceof z.ZodError) throw new HttpError(400, z.prettifyError(error));
    throw error;
  }
}

function endProcess(error: unknown): void {
  // Thrown outside of any promise it ends the process, and its stack tells why.
  setImmediate(() => {
    throw error;
  });
}
