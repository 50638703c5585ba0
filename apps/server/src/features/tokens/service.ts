import { KervanError, NATIVE, type Chain, type Token } from '@kervan/contract';
import type { Database } from '@kervan/database';
import type { Networks } from '../../engine/networks.ts';
import { readSettings } from '../../engine/user-settings.ts';

interface Dependencies {
  readonly db: Database;
  readonly networks: Pick<Networks, 'verifiedPort'>;
}

export type TokensService = ReturnType<typeof createTokensService>;

/** What stands for a name or symbol that a BSC contract does not tell (spec §7). */
const NAMELESS = { name: 'Custom Token', symbol: 'BEP20' };

const NOTHING_MORE = { logoURI: null, description: null, website: null, warnings: [] };

const INVALID_NAMES: Partial<Record<string, string>> = {
  TOKEN_ADDRESS_INVALID: 'Invalid Address',
  TOKEN_NOT_FOUND: 'Token Not Found',
};

/** Tokens by their address, on the network that the user has chosen for the chain. */
export function createTokensService({ db, networks }: Dependencies) {
  /** An address that is no token's is an answer too (spec §5); only a node that can't be asked is an error. */
  async function lookUp(userId: string, chain: Chain, address: string): Promise<Token> {
    const settings = await readSettings(db, userId);
    const port = await networks.verifiedPort(chain, settings[chain].network, userId);
    try {
      const token = await port.describeToken(address);
      return {
        address: token.address,
        name: token.name || NAMELESS.name,
        symbol: token.symbol || NAMELESS.symbol,
        decimals: token.decimals,
        ...NOTHING_MORE,
        isValid: true,
      };
    } catch (error) {
      const name = error instanceof KervanError ? INVALID_NAMES[error.code] : undefined;
      if (name === undefined) throw error;
      const { decimals } = NATIVE[chain];
      return { address, name, symbol: 'INVALID', decimals, ...NOTHING_MORE, isValid: false };
    }
  }

  return { lookUp };
}
