import { z } from 'zod';
import type { HttpRequest } from '../http.ts';
import { outputMint } from './amm.ts';
import type { Chain } from './chain.ts';
import type { Genesis } from './genesis.ts';
import { findRoute, integerText, JupiterError, mintText } from './jupiter-route.ts';
import { quoteRoute, type RouteQuote } from './route-quote.ts';

const quoteQuerySchema = z.object({
  inputMint: mintText,
  outputMint: mintText,
  amount: integerText,
  slippageBps: z.coerce.number().int().min(0).max(10_000).default(50),
  swapMode: z.literal('ExactIn', 'only ExactIn is offered').default('ExactIn'),
  onlyDirectRoutes: z.enum(['true', 'false']).default('false'),
});

/** Answers `GET /swap/v1/quote`. */
export function quote(chain: Chain, genesis: Genesis, request: HttpRequest): unknown {
  const startedAt = performance.now();
  const query = quoteQuerySchema.parse(Object.fromEntries(request.query));
  const { inputMint, slippageBps } = query;
  const hops = findRoute(genesis, inputMint, query.outputMint, query.onlyDirectRoutes === 'true');
  const amount = BigInt(query.amount);
  const route = amount === 0n ? undefined : quoteRoute(chain.runtime, hops, amount);
  if (!route) throw new JupiterError('COULD_NOT_FIND_ANY_ROUTE', 'Could not find any route');
  return {
    inputMint,
    inAmount: query.amount,
    outputMint: query.outputMint,
    outAmount: route.outAmount.toString(),
    otherAmountThreshold: ((route.outAmount * BigInt(10_000 - slippageBps)) / 10_000n).toString(),
    swapMode: query.swapMode,
    slippageBps,
    platformFee: null,
    priceImpactPct: route.priceImpact,
    routePlan: routePlan(route),
    contextSlot: chain.clock.slot,
    timeTaken: (performance.now() - startedAt) / 1000,
  };
}

function routePlan(route: RouteQuote): unknown[] {
  return route.legs.map(({ hop, inAmount, outAmount, feeAmount }) => ({
    swapInfo: {
      ammKey: hop.pool.address,
      label: 'Kervan',
      inputMint: hop.inputMint,
      outputMint: outputMint(hop),
      inAmount: inAmount.toString(),
      outAmount: outAmount.toString(),
      feeAmount: feeAmount.toString(),
      feeMint: hop.inputMint,
    },
    percent: 100,
  }));
}
