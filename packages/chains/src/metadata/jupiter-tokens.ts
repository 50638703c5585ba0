import { z } from 'zod';
import type { HttpClient } from '../solana/http.ts';
import { askJson } from './ask-json.ts';
import { toMetadata, type SearchableSource, type TokenMetadata } from './token-metadata.ts';

const tokensSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    symbol: z.string(),
    decimals: z.number().int().min(0).max(36),
    icon: z.string().nullish(),
    website: z.string().nullish(),
  }),
);

/** Jupiter's Token API v2 (https://dev.jup.ag/docs/token-api/v2): search by name, symbol or mint. */
export function createJupiterTokens(options: {
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly http: HttpClient;
}): SearchableSource {
  const service = { http: options.http, service: 'Jupiter' };
  const headers: Record<string, string> = options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey };

  async function search(query: string, signal?: AbortSignal): Promise<TokenMetadata[]> {
    const url = new URL(`${options.url.replace(/\/$/, '')}/tokens/v2/search`);
    url.search = new URLSearchParams({ query }).toString();
    const tokens = (await askJson(service, tokensSchema, url, { headers, signal })) ?? [];
    return tokens
      .map(({ id, icon, ...token }) => toMetadata({ ...token, address: id, logoUrl: icon }))
      .filter((token) => token !== undefined);
  }

  return {
    search,
    async find(address, signal) {
      const tokens = await search(address, signal);
      return tokens.find((token) => token.address === address);
    },
  };
}
