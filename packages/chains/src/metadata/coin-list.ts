import { z } from 'zod';
import type { HttpClient } from '../solana/http.ts';
import { askJson } from './ask-json.ts';
import { toMetadata, type MetadataSource, type TokenMetadata } from './token-metadata.ts';

const coinsSchema = z.array(
  z.object({
    name: z.string(),
    symbol: z.string(),
    platforms: z.record(z.string(), z.string().nullable()).nullish(),
  }),
);

const freshMs = 24 * 3_600_000;

/**
 * A public list of coins with the platforms they are on (https://docs.coingecko.com/reference/coins-list): some
 * megabytes, so it is fetched once a day and only this platform's part is kept.
 */
export function createCoinList(options: {
  readonly url: string;
  /** As the list calls it: `solana` or `binance-smart-chain`. */
  readonly platform: string;
  readonly http: HttpClient;
  readonly now: () => number;
}): MetadataSource {
  const service = { http: options.http, service: 'CoinGecko' };
  let known: { at: number; coins: Promise<Map<string, TokenMetadata>> } | undefined;

  async function fetchCoins(): Promise<Map<string, TokenMetadata>> {
    const list = (await askJson(service, coinsSchema, new URL(options.url))) ?? [];
    const coins = new Map<string, TokenMetadata>();
    for (const { name, symbol, platforms } of list) {
      const address = platforms?.[options.platform];
      const coin = address ? toMetadata({ address, name, symbol: symbol.toUpperCase() }) : undefined;
      if (coin) coins.set(coin.address, coin);
    }
    return coins;
  }

  return {
    async find(address) {
      if (!known || options.now() - known.at > freshMs) known = { at: options.now(), coins: fetchCoins() };
      const current = known;
      try {
        return (await current.coins).get(address);
      } catch (error) {
        // The next question asks again.
        if (known === current) known = undefined;
        throw error;
      }
    },
  };
}
