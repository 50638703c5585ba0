import { routes, type Chain } from '@kervan/contract';
import { vi } from 'vitest';
import { apiOf } from './api-of.ts';
import type { Person } from './person.ts';
import type { Product } from './product.ts';
import { TOKEN } from './steps.ts';

const NAMES = {
  en: {
    treasury: 'Treasury',
    scout: 'Scout',
    buyer: 'Steady buyer',
    seller: 'Night seller',
    bsc: 'Cake buyer',
  },
  tr: {
    treasury: 'Hazine',
    scout: 'Keşif',
    buyer: 'İstikrarlı alıcı',
    seller: 'Gece satıcısı',
    bsc: 'Çarşı botu',
  },
} as const;

const TRADES = 4;
const range = { range_time_min: 1800, range_time_max: 3600 };

/** Fills a fresh account with wallets, coins, bots and trades, over the API. */
export async function seed(product: Product, person: Person) {
  const api = await apiOf(product, person);
  const names = NAMES[person.language];
  const sandbox = await api.call(routes.getSandbox);
  const tokenOf = (chain: Chain): string => {
    const token = sandbox[chain].tokens.find(({ symbol }) => symbol === TOKEN[chain]);
    if (!token) throw new Error(`the sandbox has no ${TOKEN[chain]}`);
    return token.address;
  };

  const treasury = await api.call(routes.createWallet, { body: { name: names.treasury } });
  const scout = await api.call(routes.createWallet, { body: { name: names.scout } });
  const bsc = await api.call(routes.createBscWallet, { body: { name: names.treasury } });
  for (const [chain, address, amount] of [
    ['solana', treasury.public_key, '24.5'],
    ['solana', scout.public_key, '3.25'],
    ['bsc', bsc.address, '8'],
  ] as const) {
    await api.call(routes.faucet, { body: { chain, address, amount } });
  }

  const buyer = await api.call(routes.createBot, {
    body: {
      name: names.buyer,
      wallet_id: treasury.id,
      action: 'buy',
      token_address: tokenOf('solana'),
      amount_min: 0.25,
      amount_max: 0.75,
      ...range,
    },
  });
  await api.call(routes.createBot, {
    body: {
      name: names.seller,
      wallet_id: scout.id,
      action: 'sell',
      token_address: tokenOf('solana'),
      amount_min: 100,
      amount_max: 500,
      ...range,
    },
  });
  const bscBuyer = await api.call(routes.createBscBot, {
    body: {
      name: names.bsc,
      wallet_id: bsc.id,
      action: 'buy',
      token_address: tokenOf('bsc'),
      amount_min: 0.01,
      amount_max: 0.02,
      ...range,
    },
  });
  await api.call(routes.startBot, { params: { id: buyer.id } });
  for (let trade = 0; trade < TRADES; trade++) {
    await api.call(routes.executeBot, { params: { id: buyer.id } });
    await api.call(routes.executeBscBot, { params: { id: bscBuyer.id } });
  }
  await vi.waitUntil(
    async () => (await api.call(routes.listTrades, { query: { status: 'success' } })).total === 2 * TRADES,
    { timeout: 60_000, interval: 200 },
  );
  return names;
}
