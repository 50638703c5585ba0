import type { Chain, Network } from '@kervan/contract';
import {
  createCoinLookup,
  createHttpClient,
  createJupiterTokens,
  createTokenPairs,
  type MetadataSource,
  type SearchableSource,
  type TokenMetadata,
} from '@kervan/chains';
import type { LiveServices } from '../../engine/live-nodes.ts';
import type { SandboxClient } from '../../engine/sandbox-client.ts';
import { createCache } from './cache.ts';

/** A person waits for it, and there are others to ask. */
const TIMEOUT_MS = 3_000;
const REMEMBERED_MAX = 2_000;
const KNOWN_MS = 10 * 60_000;
/** A token that nobody knows may be a minute old. */
const UNKNOWN_MS = 60_000;
const FOUND_MAX = 20;

interface Dependencies {
  readonly sandbox: SandboxClient | undefined;
  readonly live: LiveServices;
  readonly jupiterApiKey: string | undefined;
  readonly now: () => number;
}

export type TokenDirectory = ReturnType<typeof createTokenDirectory>;

/** What is said of tokens elsewhere than on the chain: the sandbox's own list, on live networks public services. */
export function createTokenDirectory({ sandbox, live, jupiterApiKey, now }: Dependencies) {
  const httpTo = (service: string) =>
    createHttpClient({ service, fetch, timeoutMs: TIMEOUT_MS, attempts: 2, backoffMs: 200, maxInFlight: 8 });
  const coinsOn = (platform: string) =>
    createCoinLookup({ url: live.coinsUrl, platform, http: httpTo('CoinGecko') });

  /** The first that can be searched, and whom to ask after it where it knows nothing (spec §7). */
  const sources: Record<Chain, { search: SearchableSource; further: readonly MetadataSource[] }> = {
    solana: {
      search: createJupiterTokens({
        url: live.jupiterUrl,
        apiKey: jupiterApiKey,
        http: httpTo('Jupiter'),
      }),
      further: [coinsOn('solana')],
    },
    bsc: {
      search: createTokenPairs({ url: live.tokenPairsUrl, chainId: 'bsc', http: httpTo('DexScreener') }),
      further: [coinsOn('binance-smart-chain')],
    },
  };
  const remember = createCache<TokenMetadata | undefined>({
    max: REMEMBERED_MAX,
    ttlMs: (found) => (found ? KNOWN_MS : UNKNOWN_MS),
    now,
  });

  async function sandboxTokens(chain: Chain): Promise<TokenMetadata[]> {
    if (!sandbox) return [];
    const { tokens } = chain === 'solana' ? await sandbox.solana() : await sandbox.bsc();
    return tokens.map(({ address, name, symbol, decimals }) => ({
      address,
      name,
      symbol,
      decimals,
      logoUrl: null,
      description: null,
      website: null,
    }));
  }

  async function askInTurn(chain: Chain, address: string): Promise<TokenMetadata | undefined> {
    const { search, further } = sources[chain];
    for (const source of [search, ...further]) {
      // A source that can't be asked knows nothing (spec §8).
      const found = await source.find(address).catch(() => undefined);
      if (found) return found;
    }
    return undefined;
  }

  return {
    /** Undefined where nobody says anything. Never throws. */
    async find(chain: Chain, network: Network, address: string): Promise<TokenMetadata | undefined> {
      if (network !== 'mainnet') return undefined;
      return await remember(`${chain} ${address}`, () => askInTurn(chain, address));
    },

    /** The best matches first. Throws NETWORK_UNREACHABLE where the network's list can't be asked. */
    async search(chain: Chain, network: Network, query: string): Promise<TokenMetadata[]> {
      if (network === 'sandbox') return matching(await sandboxTokens(chain), query);
      if (network !== 'mainnet') return [];
      return (await sources[chain].search.search(query)).slice(0, FOUND_MAX);
    },
  };
}

/** Those whose symbol or name has the query in it, or whose address it is; symbols before names. */
function matching(tokens: readonly TokenMetadata[], query: string): TokenMetadata[] {
  const wanted = query.toLowerCase();
  const rank = ({ symbol, name, address }: TokenMetadata): number => {
    if (symbol.toLowerCase() === wanted || address.toLowerCase() === wanted) return 0;
    if (symbol.toLowerCase().startsWith(wanted)) return 1;
    return symbol.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return tokens
    .filter((token) => rank(token) < 3)
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, FOUND_MAX);
}
