import {
  KervanError,
  NATIVE,
  type Chain,
  type FoundToken,
  type Token,
  type TokenWarning,
} from '@kervan/contract';
import type { ChainPort } from '@kervan/chains';
import type { Database } from '@kervan/database';
import { chosenPort } from '../../engine/chosen-port.ts';
import type { Networks } from '../../engine/networks.ts';
import type { Clock } from '../../lib/clock.ts';
import { createCache } from './cache.ts';
import type { TokenDirectory } from './metadata.ts';

interface Dependencies {
  readonly db: Database;
  readonly networks: Pick<Networks, 'verifiedPort'>;
  readonly directory: TokenDirectory;
  readonly clock: Clock;
}

export type TokensService = ReturnType<typeof createTokensService>;

/** What stands for a name or symbol that a BSC contract does not tell (spec §7). */
const NAMELESS = { name: 'Custom Token', symbol: 'BEP20' };

const INVALID_NAMES: Partial<Record<string, string>> = {
  TOKEN_ADDRESS_INVALID: 'Invalid Address',
  TOKEN_NOT_FOUND: 'Token Not Found',
};

const SCREENING_TIMEOUT_MS = 5_000;
/** A form asks again and again while it is filled in; an issuer can change a tax at any time. */
const SCREENED_MS = 60_000;
const SCREENED_MAX = 2_000;

/** Tokens by their address, on the network that the user has chosen for the chain. */
export function createTokensService({ db, networks, directory, clock }: Dependencies) {
  const screened = createCache<TokenWarning[]>({
    max: SCREENED_MAX,
    ttlMs: () => SCREENED_MS,
    now: () => clock().getTime(),
  });

  /** A check that can't be made is a warning of its own, and no reason to say nothing of the token. */
  async function warningsOf(userId: string, port: ChainPort, address: string): Promise<TokenWarning[]> {
    try {
      // Each user's for themselves: a port may ask a node of the user's own, whose word nobody else is given.
      return await screened(`${userId} ${port.chain} ${port.network} ${address}`, () =>
        port.screenToken(address, AbortSignal.timeout(SCREENING_TIMEOUT_MS)),
      );
    } catch {
      return [{ code: 'NOT_SCREENED', severity: 'info', context: {} }];
    }
  }

  /** An address that is no token's is an answer too (spec §5); only a node that can't be asked is an error. */
  async function lookUp(userId: string, chain: Chain, address: string): Promise<Token> {
    const port = await chosenPort({ db, networks }, userId, chain);
    try {
      const token = await port.describeToken(address);
      const [said, warnings] = await Promise.all([
        directory.find(chain, port.network, token.address),
        warningsOf(userId, port, token.address),
      ]);
      // A list knows a mint by the name that people use; a BSC contract's own name is the one that wallets show.
      const [first, second] = chain === 'solana' ? [said, token] : [token, said];
      return {
        address: token.address,
        name: first?.name || second?.name || NAMELESS.name,
        symbol: first?.symbol || second?.symbol || NAMELESS.symbol,
        decimals: token.decimals,
        logoURI: said?.logoUrl ?? null,
        description: said?.description ?? null,
        website: said?.website ?? null,
        isValid: true,
        warnings,
      };
    } catch (error) {
      const name = error instanceof KervanError ? INVALID_NAMES[error.code] : undefined;
      if (name === undefined) throw error;
      return {
        address,
        name,
        symbol: 'INVALID',
        decimals: NATIVE[chain].decimals,
        logoURI: null,
        description: null,
        website: null,
        isValid: false,
        warnings: [],
      };
    }
  }

  /** Tokens by name or symbol, or the one at an address, listed or not. */
  async function search(userId: string, chain: Chain, query: string): Promise<FoundToken[]> {
    const port = await chosenPort({ db, networks }, userId, chain);
    const address = port.parseAddress(query);
    if (address !== undefined) {
      const { name, symbol, decimals, logoURI, isValid } = await lookUp(userId, chain, address);
      return isValid ? [{ address, name, symbol, decimals, logoURI }] : [];
    }
    const found = await directory.search(chain, port.network, query);
    return found.map((token) => ({
      address: port.parseAddress(token.address) ?? token.address,
      name: token.name,
      symbol: token.symbol,
      decimals: token.decimals ?? NATIVE[chain].decimals,
      logoURI: token.logoUrl,
    }));
  }

  return { lookUp, search };
}
