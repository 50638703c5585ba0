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
const before: Holdings = {
  lamports: 50_000_000n,
  wrappedSolLamports: 0n,
  tokenUnits: 7_000_000n,
  hasTokenAccount: true,
};
const unwrapped = { wrappedSolLamports: 0n, isTokenAccountSafe: true };
const bought: Effects = { ...unwrapped, lamports: 48_985_000n, tokenUnits: 7_000_500n };
const sold: Effects = { ...unwrapped, lamports: 49_985_500n, tokenUnits: 6_000_000n };
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

  it('pays for nothing with the wrapped SOL that the wallet held before', () => {
    const wrapped = 30_000_000n;
    const held = { ...before, wrappedSolLamports: wrapped };
    expect(judge('buy', { ...bought, lamports: bought.lamports + wrapped }, held)).toBe(true);
    expect(judge('buy', { ...bought, wrappedSolLamports: wrapped }, held)).toBe(true);
    expect(judge('buy', { ...bought, lamports: bought.lamports + wrapped - 1n }, held)).toBe(false);
    expect(judge('sell', sold, held)).toBe(false);
  });

  describe('is read from the accounts as the node gives them', () => {
    const owner = new Uint8Array(32).fill(7);
    const wallet = listed(9n, Buffer.alloc(0));

    function listed(lamports: bigint, data: Buffer) {
      return { lamports, data: [data.toString('base64'), 'base64'] as const };
    }

    /** A token account of the owner with 42 units, and what a test changes in it. */
    function account(change: (data: Buffer) => void = () => undefined): Buffer {
      const data = Buffer.alloc(165);
      data.set(owner, 32);
      data.writeBigUInt64LE(42n, 64);
      change(data);
      return data;
    }

    it('with all three', () => {
      expect(readEffects([wallet, listed(1n, account()), listed(5n, account())], owner)).toEqual({
        lamports: 9n,
        wrappedSolLamports: 5n,
        tokenUnits: 42n,
        isTokenAccountSafe: true,
      });
    });

    it.each<[string, (data: Buffer) => void]>([
      ['given to somebody else', (data) => void data.writeUInt8(8, 32)],
      ['with a delegate', (data) => void data.writeUInt32LE(1, 72)],
      ['with somebody else to close it', (data) => void data.writeUInt32LE(1, 129)],
    ])('%s: not the wallet’s alone', (_case, change) => {
      const spoiled = account(change);
      expect(readEffects([wallet, listed(1n, spoiled), null], owner).isTokenAccountSafe).toBe(false);
      expect(readEffects([wallet, null, listed(5n, spoiled)], owner).wrappedSolLamports).toBe(0n);
    });

    it('with accounts that were closed or never opened', () => {
      const nothing = { lamports: 0n, wrappedSolLamports: 0n, tokenUnits: 0n, isTokenAccountSafe: true };
      expect(readEffects([null, null, null], owner)).toEqual(nothing);
      const closed = listed(0n, Buffer.alloc(0));
      expect(readEffects([null, closed, closed], owner)).toEqual(nothing);
    });
  });
});
