import { NATIVE } from '@kervan/contract';
import type { Address } from '@solana/kit';
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

export async function readPurse(
  deps: PurseDeps,
  request: SwapRequest,
  owner: Address,
  signal: AbortSignal | undefined,
): Promise<Purse> {
  const mint = await deps.readMint(request.tokenAddress, signal);
  const [tokenAccount, wrappedSolAccount] = await Promise.all([
    deps.findTokenAccount(owner, mint),
    deps.findTokenAccount(owner, wrappedSol),
  ]);
  const addresses = [owner, tokenAccount, wrappedSolAccount];
  const [wallet, tokens, wrapped] = await readAccounts(deps.rpc, addresses, signal);
  return {
    owner,
    tokenAccount,
    wrappedSolAccount,
    token: tokenInfo(mint, deps.tokenList(mint.address)),
    holdings: {
      lamports: wallet?.lamports ?? 0n,
      wrappedSolLamports: wrapped?.lamports ?? 0n,
      tokenUnits: tokens?.tokenUnits ?? 0n,
      hasTokenAccount: tokens !== undefined,
    },
  };
}
