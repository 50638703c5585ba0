import { NATIVE } from '@kervan/contract';
import { address, type Address } from '@solana/kit';
import type { SwapRequest, TokenInfo } from '../port.ts';
import { tokenProgram, wrappedSolMint } from './addresses.ts';
import { readAccounts } from './balances.ts';
import type { Holdings } from './funds.ts';
import { tokenInfo, type Mint, type MintReader } from './mints.ts';
import type { SolanaRpc } from './rpc.ts';
import type { TokenAccountFinder } from './token-accounts.ts';

export interface PurseDeps {
  readonly rpc: SolanaRpc;
  readonly readMint: MintReader;
  readonly findTokenAccount: TokenAccountFinder;
  readonly tokenList: (tokenAddress: string) => TokenInfo | undefined;
}

/** What a wallet holds of the two sides of a swap, and in which accounts. */
export interface Purse {
  readonly owner: Address;
  readonly holdings: Holdings;
  readonly token: TokenInfo;
  readonly tokenAccount: Address;
  readonly wrappedSolAccount: Address;
}

const wrappedSol: Mint = { address: wrappedSolMint, decimals: NATIVE.solana.decimals, program: tokenProgram };

/** The purse of each request's owner, all read in one question. */
export async function readPurses(
  deps: PurseDeps,
  requests: readonly SwapRequest[],
  signal: AbortSignal | undefined,
): Promise<Purse[]> {
  const places = await Promise.all(requests.map((request) => findPlaces(deps, request, signal)));
  const accounts = await readAccounts(
    deps.rpc,
    places.flatMap(({ owner, tokenAccount, wrappedSolAccount }) => [owner, tokenAccount, wrappedSolAccount]),
    signal,
  );
  return places.map((place, index) => {
    const [wallet, tokens, wrapped] = accounts.slice(3 * index);
    return {
      ...place,
      holdings: {
        lamports: wallet?.lamports ?? 0n,
        wrappedSolLamports: wrapped?.lamports ?? 0n,
        tokenUnits: tokens?.tokenUnits ?? 0n,
        hasTokenAccount: tokens !== undefined,
      },
    };
  });
}

export async function readPurse(
  deps: PurseDeps,
  request: SwapRequest,
  signal: AbortSignal | undefined,
): Promise<Purse> {
  const [purse] = await readPurses(deps, [request], signal);
  if (!purse) throw new Error('every request has its purse');
  return purse;
}

async function findPlaces(
  deps: PurseDeps,
  request: SwapRequest,
  signal: AbortSignal | undefined,
): Promise<Omit<Purse, 'holdings'>> {
  const owner = address(request.owner);
  const mint = await deps.readMint(request.tokenAddress, signal);
  const [tokenAccount, wrappedSolAccount] = await Promise.all([
    deps.findTokenAccount(owner, mint),
    deps.findTokenAccount(owner, wrappedSol),
  ]);
  return { owner, tokenAccount, wrappedSolAccount, token: tokenInfo(mint, deps.tokenList(mint.address)) };
}
