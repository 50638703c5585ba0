import type { Address } from '@solana/kit';
import type { Mint } from './mints.ts';
import type { SolanaRpc } from './rpc.ts';
import { readTokenAmount, tokenAmountSlice, type TokenAccountFinder } from './token-accounts.ts';

/** What getMultipleAccounts takes at once. */
const accountsPerCall = 100;

interface Account {
  readonly lamports: bigint;
  /** The number in the token amount's place; 0 for accounts that are none. */
  readonly tokenUnits: bigint;
}

/**
 * Lamports and token amount of each account at `confirmed`, undefined where there is none. `addresses` may be of
 * any number.
 */
export async function readAccounts(
  rpc: SolanaRpc,
  addresses: readonly Address[],
  signal?: AbortSignal,
): Promise<(Account | undefined)[]> {
  const calls: Promise<(Account | undefined)[]>[] = [];
  for (let start = 0; start < addresses.length; start += accountsPerCall) {
    calls.push(readBatch(rpc, addresses.slice(start, start + accountsPerCall), signal));
  }
  return (await Promise.all(calls)).flat();
}

/** Lamports of each wallet. */
export async function readBalances(
  rpc: SolanaRpc,
  owners: readonly Address[],
  signal?: AbortSignal,
): Promise<Map<string, bigint>> {
  const accounts = await readAccounts(rpc, owners, signal);
  return new Map(owners.map((owner, index) => [owner, accounts[index]?.lamports ?? 0n]));
}

/** Token base units in each wallet's associated account, the one that swaps use. */
export async function readTokenBalances(
  rpc: SolanaRpc,
  findTokenAccount: TokenAccountFinder,
  owners: readonly Address[],
  mint: Mint,
  signal?: AbortSignal,
): Promise<Map<string, bigint>> {
  const tokenAccounts = await Promise.all(owners.map((owner) => findTokenAccount(owner, mint)));
  const accounts = await readAccounts(rpc, tokenAccounts, signal);
  return new Map(owners.map((owner, index) => [owner, accounts[index]?.tokenUnits ?? 0n]));
}

async function readBatch(
  rpc: SolanaRpc,
  addresses: readonly Address[],
  signal: AbortSignal | undefined,
): Promise<(Account | undefined)[]> {
  const { value } = await rpc
    .getMultipleAccounts(addresses, {
      encoding: 'base64',
      commitment: 'confirmed',
      dataSlice: tokenAmountSlice,
    })
    .send(signal && { abortSignal: signal });
  return value
    .map((account) => account && { lamports: account.lamports, tokenUnits: readTokenAmount(account.data[0]) })
    .map((account) => account ?? undefined);
}
