import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routes } from '@kervan/contract';
import type { ChainKeys, Networks } from '../../engine/networks.ts';
import { preferredLanguage } from '../../http/language.ts';
import { register } from '../../http/register.ts';
import type { GasPriceService } from './gas-prices.ts';
import { bscOrder, solanaOrder, wipeKeys, type Order } from './order.ts';
import type { FastSwapService } from './service.ts';

export interface FastSwapRoutesDependencies {
  readonly fastSwaps: FastSwapService;
  readonly gasPrices: GasPriceService;
  readonly networks: Pick<Networks, 'keys'>;
}

export function fastSwapRoutes(
  app: FastifyInstance,
  { fastSwaps, gasPrices, networks }: FastSwapRoutesDependencies,
): void {
  register(app, routes.fastSwap, ({ user, body, idempotencyKey, request }) =>
    fastSwaps.swap(user.id, solanaOrder(body), idempotencyKey, languageOf(request)),
  );
  register(app, routes.previewFastSwap, ({ user, body, request }) =>
    fastSwaps.preview(user.id, solanaOrder(body), languageOf(request)),
  );
  register(app, routes.bscFastSwap, ({ user, body, idempotencyKey, request }) =>
    withOrder(networks.keys('bsc'), body, (order) =>
      fastSwaps.swap(user.id, order, idempotencyKey, languageOf(request)),
    ),
  );
  register(app, routes.previewBscFastSwap, ({ user, body, request }) =>
    withOrder(networks.keys('bsc'), body, (order) => fastSwaps.preview(user.id, order, languageOf(request))),
  );
  register(app, routes.getFastSwap, ({ user, params, request }) =>
    fastSwaps.find(user.id, params.id, languageOf(request)),
  );
  register(app, routes.bscGasPrices, ({ user }) => gasPrices(user.id));
}

/** Uses an order with pasted keys, and wipes these after. */
async function withOrder<T>(
  keys: Pick<ChainKeys, 'importKey'>,
  body: Parameters<typeof bscOrder>[0],
  use: (order: Order) => Promise<T>,
): Promise<T> {
  const order = await bscOrder(body, keys);
  try {
    return await use(order);
  } finally {
    wipeKeys(order);
  }
}

function languageOf(request: FastifyRequest) {
  return preferredLanguage(request.headers['accept-language']);
}
