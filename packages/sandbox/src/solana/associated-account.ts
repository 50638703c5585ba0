import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import type { Address } from './addresses.ts';

// The search for an address off the curve takes a millisecond, and bots ask for the same ones all day.
const rememberedAccounts = 100_000;
const remembered = new Map<string, Address>();

/** The owner's associated token account for a mint of the SPL Token program. */
export async function associatedAccount(owner: Address, mint: Address): Promise<Address> {
  const key = `${owner} ${mint}`;
  const known = remembered.get(key);
  if (known) return known;
  const [address] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS });
  if (remembered.size >= rememberedAccounts) remembered.clear();
  remembered.set(key, address);
  return address;
}
