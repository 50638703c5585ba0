import { z } from 'zod';
import type { HttpClient } from '../solana/http.ts';
import { askJson } from './ask-json.ts';
import { toMetadata, type MetadataSource } from './token-metadata.ts';

const coinSchema = z.object({
  name: z.string(),
  symbol: z.string(),
  image: z.object({ small: z.string().nullish() }).nullish(),
  description: z.object({ en: z.string().nullish() }).nullish(),
  links: z.object({ homepage: z.array(z.string()).nullish() }).nullish(),
});

/**
 * CoinGecko's coins by platform and contract (https://docs.coingecko.com/reference/coins-contract-address). Its whole list
 * would be megabytes to parse beside the trades.
 */
export function createCoinLookup(options: {
  /** Such as https://api.coingecko.com/api/v3. */
  readonly url: string;
  /** As the service calls it: `solana` or `binance-smart-chain`. */
  readonly platform: string;
  readonly http: HttpClient;
}): MetadataSource {
  const service = { http: options.http, service: 'CoinGecko' };
  const base = `${options.url.replace(/\/$/, '')}/coins/${options.platform}/contract`;

  return {
    async find(address, signal) {
      const url = new URL(`${base}/${encodeURIComponent(address)}`);
      const coin = await askJson(service, coinSchema, url, { signal });
      return (
        coin &&
        toMetadata({
          address,
          name: coin.name,
          symbol: coin.symbol.toUpperCase(),
          logoUrl: coin.image?.small,
          description: coin.description?.en,
          website: coin.links?.homepage?.[0],
        })
      );
    },
  };
}
