import { z } from 'zod';
import { isAddressText, type Address } from './addresses.ts';
import type { Hop } from './amm.ts';
import type { Genesis } from './genesis.ts';
import { wrappedSolMint } from './tokens.ts';

/** Base units as Jupiter writes them. */
export const integerText = z.string().regex(/^\d{1,19}$/);
export const mintText = z.custom<Address>(isAddressText, 'not a public key');

/** An error as Jupiter's API answers it: HTTP 400 with `{error, errorCode}`. */
export class JupiterError extends Error {
  readonly errorCode: string;
  constructor(errorCode: string, message: string) {
    super(message);
    this.name = 'JupiterError';
    this.errorCode = errorCode;
  }
}

/** SOL and a token meet in one pool; two tokens by way of SOL. */
export function findRoute(genesis: Genesis, from: Address, to: Address, isDirectOnly: boolean): Hop[] {
  if (from === to) {
    throw new JupiterError(
      'CIRCULAR_ARBITRAGE_IS_DISABLED',
      'Input and output mints are not allowed to be equal',
    );
  }
  const hops: Hop[] = [];
  for (const mint of [from, to]) {
    if (mint === wrappedSolMint) continue;
    const pool = genesis.pools.get(mint);
    if (!pool) throw new JupiterError('TOKEN_NOT_TRADABLE', `The token ${mint} is not tradable`);
    hops.push({ pool, inputMint: mint === from ? mint : wrappedSolMint });
  }
  if (isDirectOnly && hops.length > 1) {
    throw new JupiterError('COULD_NOT_FIND_ANY_ROUTE', 'Could not find any route');
  }
  return hops;
}
