import { findAssociatedTokenPda } from '@solana-program/token';
import type { Address } from '@solana/kit';
import type { Mint } from './mints.ts';

export type TokenAccountFinder = (owner: Address, mint: Mint) => Promise<Address>;

const mostRemembered = 20_000;

/**
 * The associated token account of a wallet for a mint, the one that swaps pay from and into. Finding it hashes
 * several times over, so what was found is remembered.
 */
export function createTokenAccountFinder(): TokenAccountFinder {
  const known = new Map<string, Address>();

  return async (owner, mint) => {
    const key = `${owner} ${mint.address}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const [account] = await findAssociatedTokenPda({
      owner,
      mint: mint.address,
      tokenProgram: mint.program,
    });
    if (known.size >= mostRemembered) known.clear();
    known.set(key, account);
    return account;
  };
}

/** Amounts in token accounts are a u64 at byte 64: the slice to ask for, and how to read it. */
export const tokenAmountSlice = { offset: 64, length: 8 } as const;

/** Token base units from the base64 of that slice. */
export function readTokenAmount(base64: string): bigint {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === tokenAmountSlice.length ? bytes.readBigUInt64LE() : 0n;
}
