import { address, getAddressEncoder, getProgramDerivedAddress, type Address } from '@solana/kit';
import { printable } from '../printable.ts';
import { readTexts, type MintName } from './mint-account.ts';
import type { SolanaRpc } from './rpc.ts';

/** Metaplex's program, whose accounts name mints that don't name themselves. */
const metadataProgram = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
/** A metadata account's kind, its authority and its mint come before the texts. */
const textsOffset = 1 + 32 + 32;
const longestText = 100;

/** What Metaplex's metadata account of the mint says, if there is one. */
export async function readMetadataAccount(
  rpc: SolanaRpc,
  mint: Address,
  signal?: AbortSignal,
): Promise<MintName | null> {
  const encode = getAddressEncoder();
  const [account] = await getProgramDerivedAddress({
    programAddress: metadataProgram,
    seeds: ['metadata', encode.encode(metadataProgram), encode.encode(mint)],
  });
  const { value } = await rpc
    .getAccountInfo(account, { encoding: 'base64', commitment: 'confirmed' })
    .send(signal && { abortSignal: signal });
  if (value?.owner !== metadataProgram) return null;
  return readTexts(Buffer.from(value.data[0], 'base64'), textsOffset);
}

/** Texts as they may be shown; null where nothing is left of either. Metaplex fills them up with NULs. */
export function cleanName(name: MintName | null): MintName | null {
  if (name === null) return null;
  const [cleanedName, symbol] = [name.name, name.symbol].map((text) => printable(text, longestText).trim());
  return cleanedName && symbol ? { name: cleanedName, symbol } : null;
}
