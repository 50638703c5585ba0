import { printable } from '../printable.ts';

/** What a list or market says of a token beyond the chain's word. All of it is somebody's claim. */
export interface TokenMetadata {
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  /** Null where the source does not say. */
  readonly decimals: number | null;
  readonly logoUrl: string | null;
  readonly description: string | null;
  readonly website: string | null;
}

/** One source of metadata. Throws NETWORK_UNREACHABLE where it can't be asked or answers nonsense. */
export interface MetadataSource {
  /** Undefined where the source does not know the token. */
  find(address: string, signal?: AbortSignal): Promise<TokenMetadata | undefined>;
}

/** A source that is also searched by name, symbol or address; the best match first. */
export interface SearchableSource extends MetadataSource {
  search(query: string, signal?: AbortSignal): Promise<TokenMetadata[]>;
}

const longestText = 100;
const longestDescription = 500;

interface Said {
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals?: number | undefined;
  readonly logoUrl?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly website?: string | null | undefined;
}

/** What a source said as it may be stored and shown; undefined where nothing is left of name or symbol. */
export function toMetadata(said: Said): TokenMetadata | undefined {
  const [name, symbol] = [said.name, said.symbol].map((text) => printable(text, longestText).trim());
  if (!name || !symbol) return undefined;
  const description = printable(said.description ?? '', longestDescription).trim();
  return {
    address: said.address,
    name,
    symbol,
    decimals: said.decimals ?? null,
    logoUrl: secureUrl(said.logoUrl),
    description: description === '' ? null : description,
    website: secureUrl(said.website),
  };
}

/** An https address, which is all that a page may be given to link to; null for anything else. */
function secureUrl(text: string | null | undefined): string | null {
  if (!text || text.length > 500 || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' ? url.href : null;
}
