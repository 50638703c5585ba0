import { describe, expect, it } from 'vitest';
import { readChanges, type RecordedTransaction } from './history.ts';

const owner = 'Wa11etWa11etWa11etWa11etWa11etWa11etWa11et11';
const mint = 'TokenTokenTokenTokenTokenTokenTokenTokenTok1';
const deposit = 2_039_280n;
const token = { address: mint, name: 'Bonk', symbol: 'BONK', decimals: 5 };
const tokenList = (address: string) => (address === mint ? token : undefined);

interface Account {
  key: string;
  lamports: readonly [pre: bigint, post: bigint];
  tokens?: { mint?: string; pre?: bigint; post?: bigint };
}

/** A transaction as getTransaction lists it, its payer first. */
function recorded(accounts: Account[], err: unknown = null): RecordedTransaction {
  const balances = (side: 'pre' | 'post') =>
    accounts.flatMap(({ tokens }, accountIndex) => {
      const amount = tokens?.[side];
      if (amount === undefined) return [];
      const uiTokenAmount = { amount: String(amount), decimals: 5 };
      return [{ accountIndex, mint: tokens?.mint ?? mint, owner, uiTokenAmount }];
    });
  return {
    slot: 77n,
    blockTime: null,
    transaction: { message: { accountKeys: accounts.map(({ key }) => key) } },
    meta: {
      err,
      fee: 5_000n,
      preBalances: accounts.map(({ lamports }) => lamports[0]),
      postBalances: accounts.map(({ lamports }) => lamports[1]),
      preTokenBalances: balances('pre'),
      postTokenBalances: balances('post'),
    },
  };
}

describe('readChanges', () => {
  it('tells what came in from someone who paid for it', () => {
    const transaction = recorded([
      { key: 'faucet', lamports: [100n, 50n] },
      { key: owner, lamports: [1n, 46n] },
    ]);
    expect(readChanges(transaction, owner, tokenList)).toEqual([{ token: null, units: 45n }]);
  });

  it('tells both sides of a swap, without its fee and the deposit of the account it opened', () => {
    const transaction = recorded([
      { key: owner, lamports: [10_000_000n, 10_000_000n - 700_000n - 5_000n - deposit] },
      { key: 'ata', lamports: [0n, deposit], tokens: { post: 42n } },
    ]);
    expect(readChanges(transaction, owner, tokenList)).toEqual([
      { token: null, units: -700_000n },
      { token, units: 42n },
    ]);
  });

  it('counts no deposit as income that someone else paid', () => {
    const transaction = recorded([
      { key: 'faucet', lamports: [deposit, 0n] },
      { key: owner, lamports: [7n, 7n] },
      { key: 'ata', lamports: [0n, deposit], tokens: { post: 42n } },
    ]);
    expect(readChanges(transaction, owner, tokenList)).toEqual([{ token, units: 42n }]);
  });

  it('names a token that it does not know by its shortened address', () => {
    const transaction = recorded([
      { key: owner, lamports: [5_000n, 0n] },
      { key: 'ata', lamports: [1n, 1n], tokens: { mint: 'Unknown1111', pre: 9n, post: 4n } },
    ]);
    const changes = readChanges(transaction, owner, tokenList);
    expect(changes).toMatchObject([{ token: { symbol: 'Unkn…1111' }, units: -5n }]);
  });

  it('says of a failed transaction that nothing moved', () => {
    const transaction = recorded([{ key: owner, lamports: [10_000n, 5_000n] }], 'AccountNotFound');
    expect(readChanges(transaction, owner, tokenList)).toEqual([]);
  });
});
