import { z } from 'zod';
import type { HttpHandler, HttpReply, HttpRoutes } from '../http.ts';
import type { WeatherStation } from '../weather.ts';
import { isAddressText, type Address } from './addresses.ts';
import type { Faucet } from './faucet.ts';
import { genesisHash, type Genesis } from './genesis.ts';

const addressText = z.custom<Address>(isAddressText, 'not a Solana address');
const faucetRequestSchema = z.strictObject({
  address: addressText,
  /** Base units. */
  amount: z.string().regex(/^[1-9]\d{0,18}$/, 'not a positive integer of base units'),
  tokenAddress: addressText.optional(),
});

/** The sandbox's own routes, which no weather reaches. Errors are `{error}` with status 400. */
export function controlRoutes(genesis: Genesis, faucet: Faucet, weather: WeatherStation): HttpRoutes {
  return {
    'GET /sandbox': () => ({
      status: 200,
      body: { genesisHash, tokens: genesis.tokens, programs: [genesis.ammProgram] },
    }),
    'POST /sandbox/faucet': refusing(async ({ body }) => {
      const { address, amount, tokenAddress } = faucetRequestSchema.parse(body);
      const grant =
        tokenAddress === undefined
          ? await faucet.grantSol(address, BigInt(amount))
          : await faucet.grantTokens(address, tokenAddress, BigInt(amount));
      return { txId: grant.signature };
    }),
    'GET /sandbox/weather': () => ({ status: 200, body: weather.current() }),
    'PUT /sandbox/weather': refusing(({ body }) => weather.change(body)),
  };
}

function refusing(handler: (request: Parameters<HttpHandler>[0]) => unknown): HttpHandler {
  return async (request): Promise<HttpReply> => {
    try {
      return { status: 200, body: await handler(request) };
    } catch (error) {
      const message = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      return { status: 400, body: { error: message } };
    }
  };
}
