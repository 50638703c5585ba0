import { describe, expect, it } from 'vitest';
import type { SwapRequest } from '../port.ts';
import type { Holdings } from './funds.ts';
import { isAsAsked, readEffects, type Effects } from './swap-effects.ts';

const request = (action: 'buy' | 'sell'): SwapRequest => ({
  owner: 'owner',
  action,
  tokenAddress: 'token',
  amountInUnits: 1_000_000n,
  slippageBps: 100,
});
const before: Holdings = { lamports: 50_000_000n, tokenUnits: 7_000_000n, hasTokenAccount: true };
const bought: Effects = { lamports: 48_985_000n, tokenUnits: 7_000_500n, isTokenAccountSafe: true };
const sold: Effects = { lamports: 49_985_500n, tokenUnits: 6_000_000n, isTokenAccountSafe: true };
const judge = (action: 'buy' | 'sell', after: Effects, held = before) =>
  isAsAsked(request(action), 500n, held, after, 10_000n);

describe('what a simulated swap does to the wallet', () => {
  it('is as asked when it takes the amount and the fees and brings the minimum', () => {
    expect(judge('buy', bought)).toBe(true);
    expect(judge('sell', sold)).toBe(true);
  });

  it('is not when one unit more is taken, or one less brought', () => {
    expect(judge('buy', { ...bought, lamports: bought.lamports - 1n })).toBe(false);
    expect(judge('buy', { ...bought, tokenUnits: bought.tokenUnits - 1n })).toBe(false);
    expect(judge('sell', { ...sold, lamports: sold.lamports - 1n })).toBe(false);
    expect(judge('sell', { ...sold, tokenUnits: sold.tokenUnits - 1n })).toBe(false);
  });

  it('is not when the token account would belong to somebody else or be somebody else’s to spend from', () => {
    expect(judge('buy', { ...bought, isTokenAccountSafe: false })).toBe(false);
  });

  it('may take the deposit of a token account only when there is none yet', () => {
    const opened = { ...bought, lamports: bought.lamports - 2_039_280n, tokenUnits: 500n };
    expect(judge('buy', opened, { ...before, tokenUnits: 0n, hasTokenAccount: false })).toBe(true);
    expect(judge('buy', opened, { ...before, tokenUnits: 0n })).toBe(false);
  });

  it('is read from the accounts as the node gives them', () => {
    const owner = new Uint8Array(32).fill(7);
    const account = Buffer.alloc(165);
    account.set(owner, 32);
    account.writeBigUInt64LE(42n, 64);
    const read = (data: Buffer) =>
      readEffects(
        { lamports: 9n, data: ['', 'base64'] },
        { lamports: 1n, data: [data.toString('base64'), 'base64'] },
        owner,
      );
    expect(read(account)).toEqual({ lamports: 9n, tokenUnits: 42n, isTokenAccountSafe: true });
    const delegated = Buffer.from(account);
    delegated.writeUInt32LE(1, 72);
    expect(read(delegated).isTokenAccountSafe).toBe(false);
    const given = Buffer.from(account);
    given[32] = 8;
    expect(read(given).isTokenAccountSafe).toBe(false);
    expect(readEffects(null, null, owner)).toEqual({
      lamports: 0n,
      tokenUnits: 0n,
      isTokenAccountSafe: true,
    });
  });
});
