import { describe, expect, it } from 'vitest';
import { wrappedSolMint } from './addresses.ts';
import { readSettlement, type LandedTransaction } from './settlement.ts';

const owner = 'Wa11etWa11etWa11etWa11etWa11etWa11etWa11et11';
const tokenAddress = 'TokenTokenTokenTokenTokenTokenTokenTokenTok1';
const tipAccount = '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5';
const deposit = 2_039_280n;

interface Account {
  key: string;
  pre: bigint;
  post: bigint;
  /** Token amounts before and after; undefined where the account is no token account at that time. */
  tokens?: { owner: string; mint: string; pre?: bigint; post?: bigint };
  isLoaded?: boolean;
}

/** A transaction as getTransaction lists it, the wallet first. */
function landed(accounts: Account[], err: unknown = null, fee = 5_000n): LandedTransaction {
  const ordered = [...accounts.filter((a) => !a.isLoaded), ...accounts.filter((a) => a.isLoaded)];
  const balances = (side: 'pre' | 'post') =>
    ordered.flatMap(({ tokens }, accountIndex) => {
      const amount = tokens?.[side];
      if (tokens === undefined || amount === undefined) return [];
      return [
        { accountIndex, mint: tokens.mint, owner: tokens.owner, uiTokenAmount: { amount: String(amount) } },
      ];
    });
  return {
    slot: 77n,
    blockTime: 1_795_000_000n,
    transaction: { message: { accountKeys: ordered.filter((a) => !a.isLoaded).map((a) => a.key) } },
    meta: {
      err,
      fee,
      preBalances: ordered.map((a) => a.pre),
      postBalances: ordered.map((a) => a.post),
      preTokenBalances: balances('pre'),
      postTokenBalances: balances('post'),
      loadedAddresses: { writable: ordered.filter((a) => a.isLoaded).map((a) => a.key), readonly: [] },
    },
  };
}

const wallet = (pre: bigint, post: bigint): Account => ({ key: owner, pre, post });

describe('readSettlement', () => {
  it('reads a first buy: amount, fee, and the deposit of the account it opened', () => {
    const spent = 250_000_000n;
    const transaction = landed(
      [
        wallet(1_000_000_000n, 1_000_000_000n - spent - 7_500n - deposit),
        { key: 'ata', pre: 0n, post: deposit, tokens: { owner, mint: tokenAddress, post: 42n } },
        {
          key: 'vault',
          pre: deposit,
          post: deposit,
          tokens: { owner: 'pool', mint: tokenAddress, pre: 1_000n, post: 958n },
        },
        { key: 'wrapped', pre: 0n, post: 0n },
      ],
      null,
      7_500n,
    );
    expect(readSettlement(transaction, { owner, action: 'buy', tokenAddress })).toEqual({
      nativeUnits: spent,
      tokenUnits: 42n,
      feeUnits: 7_500n,
      tipUnits: 0n,
      rentUnits: deposit,
      height: 77n,
      landedAt: new Date(1_795_000_000_000),
    });
  });

  it('reads a sell that closes its account and tips, with keys from a lookup table', () => {
    const received = 90_000_000n;
    const tip = 10_000n;
    const transaction = landed([
      wallet(5_000_000n, 5_000_000n + received - 5_000n - tip + deposit),
      { key: 'ata', pre: deposit, post: 0n, tokens: { owner, mint: tokenAddress, pre: 42n } },
      { key: tipAccount, pre: 900n, post: 900n + tip, isLoaded: true },
    ]);
    expect(readSettlement(transaction, { owner, action: 'sell', tokenAddress })).toMatchObject({
      nativeUnits: received,
      tokenUnits: 42n,
      feeUnits: 5_000n,
      tipUnits: tip,
      rentUnits: -deposit,
    });
  });

  it('counts wrapped SOL as SOL: what an account held that the swap closes is no proceeds', () => {
    const wrapped = 3_000_000n;
    const transaction = landed([
      wallet(10_000_000n, 10_000_000n - 5_000n + wrapped + deposit - 1_000_000n),
      { key: 'ata', pre: deposit, post: deposit, tokens: { owner, mint: tokenAddress, pre: 1n, post: 11n } },
      {
        key: 'wrapped',
        pre: deposit + wrapped,
        post: 0n,
        tokens: { owner, mint: wrappedSolMint, pre: wrapped },
      },
    ]);
    const settlement = readSettlement(transaction, { owner, action: 'buy', tokenAddress });
    expect(settlement).toMatchObject({
      rentUnits: -deposit,
      tokenUnits: 10n,
      nativeUnits: 1_000_000n,
    });
  });

  it('counts SOL that stays wrapped as received', () => {
    const transaction = landed([
      wallet(10_000_000n, 10_000_000n - 5_000n),
      { key: 'ata', pre: deposit, post: deposit, tokens: { owner, mint: tokenAddress, pre: 11n, post: 1n } },
      {
        key: 'wrapped',
        pre: deposit + 100n,
        post: deposit + 700n,
        tokens: { owner, mint: wrappedSolMint, pre: 100n, post: 700n },
      },
    ]);
    const settlement = readSettlement(transaction, { owner, action: 'sell', tokenAddress });
    expect(settlement).toMatchObject({ rentUnits: 0n, tokenUnits: 10n, nativeUnits: 600n });
  });

  it('sums all token accounts of the wallet for this mint and leaves others out', () => {
    const other = 'OtherOtherOtherOtherOtherOtherOtherOtherOth1';
    const transaction = landed([
      wallet(10_000_000n, 9_000_000n),
      { key: 'a', pre: deposit, post: deposit, tokens: { owner, mint: tokenAddress, pre: 5n, post: 6n } },
      { key: 'b', pre: deposit, post: deposit, tokens: { owner, mint: tokenAddress, pre: 0n, post: 9n } },
      { key: 'c', pre: deposit, post: deposit, tokens: { owner, mint: other, pre: 0n, post: 100n } },
    ]);
    expect(readSettlement(transaction, { owner, action: 'buy', tokenAddress })).toMatchObject({
      nativeUnits: 995_000n,
      tokenUnits: 10n,
    });
  });

  it('gives a failed transaction its fee and nothing else', () => {
    const transaction = landed(
      [wallet(10_000_000n, 9_995_000n)],
      { InstructionError: [2, { Custom: 6001 }] },
      5_000n,
    );
    expect(readSettlement(transaction, { owner, action: 'sell', tokenAddress })).toMatchObject({
      nativeUnits: 0n,
      tokenUnits: 0n,
      feeUnits: 5_000n,
      tipUnits: 0n,
      rentUnits: 0n,
    });
  });

  it('refuses a transaction that the wallet did not pay for', () => {
    const transaction = landed([{ key: 'someone', pre: 1n, post: 1n }, wallet(1n, 1n)]);
    expect(() => readSettlement(transaction, { owner, action: 'buy', tokenAddress })).toThrow(/did not pay/);
  });
});
