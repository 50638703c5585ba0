import { address } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { addressOf, type Address } from './addresses.ts';
import type { Runtime, StoredAccount } from './runtime.ts';

export const token2022Program = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

const tokenAccountBytes = 165;
/** Token-2022 puts the account's type behind the base layout. */
const accountTypeOffset = 165;
const accountTypeAccount = 2;
const stateOffset = 108;

/** The fields of a token account that the RPC needs. Amounts are base units. */
export interface TokenAccountView {
  mint: Address;
  owner: Address;
  amount: bigint;
  state: 'initialized' | 'frozen';
  isNative: boolean;
  programId: Address;
}

/** Reads an account as a token account of SPL Token or Token-2022; undefined if it is none. */
export function viewTokenAccount(account: StoredAccount): TokenAccountView | undefined {
  const { owner: programId, data } = account;
  if (programId !== TOKEN_PROGRAM_ADDRESS && programId !== token2022Program) return undefined;
  const isAccount =
    data.length === tokenAccountBytes ||
    (programId === token2022Program && data[accountTypeOffset] === accountTypeAccount);
  const state = data[stateOffset];
  if (!isAccount || (state !== 1 && state !== 2)) return undefined;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  return {
    mint: addressOf(bytes.subarray(0, 32)),
    owner: addressOf(bytes.subarray(32, 64)),
    amount: bytes.readBigUInt64LE(64),
    state: state === 1 ? 'initialized' : 'frozen',
    isNative: bytes.readUInt32LE(109) === 1,
    programId,
  };
}

/** Token accounts by their owner, kept up to date account by account. */
export interface TokenIndex {
  /** Takes note of an account's new content; undefined when it was closed. */
  update(address: Address, account: StoredAccount | undefined): void;
  accountsOf(owner: Address): Address[];
  /** Decimals of a mint, remembered because they never change; 0 if there is no such mint. */
  decimals(mint: Address): number;
}

export function createTokenIndex(runtime: Runtime): TokenIndex {
  const ownerOf = new Map<Address, Address>();
  const accountsOf = new Map<Address, Set<Address>>();
  const decimalsOf = new Map<Address, number>();

  function update(address: Address, account: StoredAccount | undefined): void {
    const owner = account && viewTokenAccount(account)?.owner;
    const previous = ownerOf.get(address);
    if (owner === previous) return;
    if (previous !== undefined) {
      const accounts = accountsOf.get(previous);
      accounts?.delete(address);
      if (accounts?.size === 0) accountsOf.delete(previous);
      ownerOf.delete(address);
    }
    if (owner !== undefined) {
      ownerOf.set(address, owner);
      const accounts = accountsOf.get(owner);
      if (accounts) accounts.add(address);
      else accountsOf.set(owner, new Set([address]));
    }
  }

  for (const program of [TOKEN_PROGRAM_ADDRESS, token2022Program]) {
    for (const { address, account } of runtime.programAccounts(program)) update(address, account);
  }
  return {
    update,
    accountsOf: (owner) => [...(accountsOf.get(owner) ?? [])],
    decimals(mint) {
      const known = decimalsOf.get(mint);
      if (known !== undefined) return known;
      const decimals = runtime.account(mint)?.data[44];
      if (decimals === undefined) return 0;
      decimalsOf.set(mint, decimals);
      return decimals;
    },
  };
}

/** A token amount as the RPC shows it. */
export function uiTokenAmount(
  amount: bigint,
  decimals: number,
): { amount: string; decimals: number; uiAmount: number | null; uiAmountString: string } {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text };
}
