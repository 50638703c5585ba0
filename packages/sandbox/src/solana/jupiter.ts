import { z } from 'zod';
import type { HttpHandler, HttpReply, HttpRequest, HttpRoutes } from '../http.ts';
import type { Chain } from './chain.ts';
import type { Genesis } from './genesis.ts';
import { quote } from './jupiter-quote.ts';
import { JupiterError } from './jupiter-route.ts';
import { swap } from './jupiter-swap.ts';

/**
 * Jupiter's Swap API v1 in front of the sandbox's pools: `GET /swap/v1/quote` and `POST /swap/v1/swap`
 * (dev.jup.ag, "Swap API"). Amounts are base units in decimal strings; errors are `{error, errorCode}`.
 */
export function jupiterRoutes(chain: Chain, genesis: Genesis): HttpRoutes {
  return {
    'GET /swap/v1/quote': answering((request) => quote(chain, genesis, request)),
    'POST /swap/v1/swap': answering((request) => swap(chain, genesis, request)),
  };
}

function answering(handler: (request: HttpRequest) => unknown): HttpHandler {
  return async (request): Promise<HttpReply> => {
    try {
      return { status: 200, body: await handler(request) };
    } catch (error) {
      if (error instanceof JupiterError) {
        return { status: 400, body: { error: error.message, errorCode: error.errorCode } };
      }
      if (error instanceof z.ZodError) {
        return { status: 400, body: { error: z.prettifyError(error), errorCode: 'INVALID_REQUEST' } };
      }
      throw error;
    }
  };
}
