import { KervanError } from '@kervan/contract';
import { getMintDecoder } from '@solana-program/token';
import type { Address } from '@solana/kit';
import type { TokenInfo } from '../port.ts';
import { token2022Program, tokenProgram } from './addresses.ts';
import { parseAddress } from './keys.ts';
import type { SolanaRpc } from './rpc.ts';

export interface Mint {
  readonly address: Address;
  readonly decimals: number;
  /** SPL Token or Token-2022: part of every token account's address. */
  readonly program: Address;
}

/** Throws TOKEN_ADDRESS_INVALID or TOKEN_NOT_FOUND. */
export type MintReader = (tokenAddress: string, signal?: AbortSignal) => Promise<Mint>;

const mintLength = 82;
/** Token-2022 pads a mint with extensions to a token account's length and then says what it is. */
const extendedTypeOffset = 165;
const extendedTypeMint = 1;
const mostRemembered = 10_000;

/** Reads mints and remembers them: neither their decimals nor their program ever change. */
export function createMintReader(rpc: SolanaRpc): MintReader {
  const known = new Map<string, Mint>();

  return async (tokenAddress, signal) => {
    const remembered = known.get(tokenAddress);
    if (remembered) return remembered;
    const address = requireMintAddress(tokenAddress);
    const account = await readMintData(rpc, address, signal);
    const { decimals } = getMintDecoder().decode(account.data);
    const mint = { address, decimals, program: account.program };
    if (known.size >= mostRemembered) known.clear();
    known.set(tokenAddress, mint);
    return mint;
  };
}

/** Name and symbol come from the list; a mint that it lacks goes by its shortened address. */
export function tokenInfo(
  mint: Pick<TokenInfo, 'address' | 'decimals'>,
  listed: TokenInfo | undefined,
): TokenInfo {
  const short = `${mint.address.slice(0, 4)}…${mint.address.slice(-4)}`;
  const { name, symbol } = listed ?? { name: short, symbol: short };
  return { address: mint.address, name, symbol, decimals: mint.decimals };
}

/** The mint account as it is now. Throws TOKEN_NOT_FOUND for an account that is none. */
export async function readMintData(
  rpc: SolanaRpc,
  address: Address,
  signal?: AbortSignal,
): Promise<{ readonly program: Address; readonly data: Buffer }> {
  const { value } = await rpc
    .getAccountInfo(address, { encoding: 'base64', commitment: 'confirmed' })
    .send(signal && { abortSignal: signal });
  if (value !== null) {
    const data = Buffer.from(value.data[0], 'base64');
    if (isMint(value.owner, data)) return { program: value.owner, data };
  }
  throw new KervanError('TOKEN_NOT_FOUND');
}

/** Throws TOKEN_ADDRESS_INVALID. */
export function requireMintAddress(tokenAddress: string): Address {
  const address = parseAddress(tokenAddress);
  if (address === undefined) throw new KervanError('TOKEN_ADDRESS_INVALID');
  return address;
}

function isMint(program: Address, data: Uint8Array): boolean {
  if (program === tokenProgram) return data.length === mintLength;
  if (program !== token2022Program) return false;
  return data.length === mintLength || data[extendedTypeOffset] === extendedTypeMint;
}
