import type { Chain, Token } from '@kervan/contract';

/** What a chip shows of a token that was swapped before. */
export interface RecentToken {
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
}

/** Names and sizes of spec §7. */
const STORES = {
  solana: { key: 'fastswap_token_history', size: 10 },
  bsc: { key: 'bsc_last_used_tokens_v1', size: 8 },
} as const satisfies Record<Chain, { key: string; size: number }>;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The newest first. What another version or another page has left there and can't be read is as good as nothing. */
export function readRecentTokens(chain: Chain, storage: Store): RecentToken[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORES[chain].key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecentToken) : [];
  } catch {
    return [];
  }
}

export function rememberToken(chain: Chain, token: Token, now: Date, storage: Store): void {
  const { address, symbol, name, decimals } = token;
  const entry =
    chain === 'solana'
      ? { address, name, symbol, image: null, decimals, lastUsed: now.getTime() }
      : { address, symbol, name };
  const others = readRecentTokens(chain, storage).filter((known) => known.address !== address);
  const { key, size } = STORES[chain];
  try {
    storage.setItem(key, JSON.stringify([entry, ...others].slice(0, size)));
  } catch {
    // A full or forbidden store costs a convenience, not a trade.
  }
}

function isRecentToken(value: unknown): value is RecentToken {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'address' in value &&
    typeof value.address === 'string' &&
    'symbol' in value &&
    typeof value.symbol === 'string' &&
    'name' in value &&
    typeof value.name === 'string'
  );
}
