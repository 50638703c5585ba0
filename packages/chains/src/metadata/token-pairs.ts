import { z } from 'zod';
import type { HttpClient } from '../solana/http.ts';
import { askJson } from './ask-json.ts';
import { toMetadata, type SearchableSource, type TokenMetadata } from './token-metadata.ts';

const pairSchema = z.object({
  chainId: z.string(),
  baseToken: z.object({ address: z.string(), name: z.string(), symbol: z.string() }),
  info: z
    .object({
      imageUrl: z.string().nullish(),
      websites: z.array(z.object({ url: z.string() })).nullish(),
    })
    .nullish(),
});
const answerSchema = z.object({ pairs: z.array(pairSchema).nullish() });

type Pair = z.output<typeof pairSchema>;

/** DexScreener's public pairs (https://docs.dexscreener.com/api/reference), read for one chain's base tokens. */
export function createTokenPairs(options: {
  readonly url: string;
  /** The chain as the service calls it, such as `bsc`. */
  readonly chainId: string;
  readonly http: HttpClient;
}): SearchableSource {
  const service = { http: options.http, service: 'DexScreener' };
  const base = options.url.replace(/\/$/, '');

  async function pairs(url: URL, signal: AbortSignal | undefined): Promise<Pair[]> {
    const answer = await askJson(service, answerSchema, url, { signal });
    return answer?.pairs ?? [];
  }

  return {
    /** Prefers a pair of the chain, else takes any of the token (spec §7): it may be known by a bridge's twin. */
    async find(address, signal) {
      const all = await pairs(new URL(`${base}/latest/dex/tokens/${encodeURIComponent(address)}`), signal);
      const own = all.filter(({ baseToken }) => baseToken.address.toLowerCase() === address.toLowerCase());
      const pair = own.find(({ chainId }) => chainId === options.chainId) ?? own[0];
      return pair && fromPair(pair);
    },
    async search(query, signal) {
      const url = new URL(`${base}/latest/dex/search`);
      url.search = new URLSearchParams({ q: query }).toString();
      const found = new Map<string, TokenMetadata>();
      for (const pair of await pairs(url, signal)) {
        const token = pair.chainId === options.chainId ? fromPair(pair) : undefined;
        if (token && !found.has(token.address)) found.set(token.address, token);
      }
      return [...found.values()];
    },
  };
}

function fromPair({ baseToken, info }: Pair): TokenMetadata | undefined {
  return toMetadata({ ...baseToken, logoUrl: info?.imageUrl, website: info?.websites?.[0]?.url });
}
