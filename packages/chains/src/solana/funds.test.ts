import { KervanError } from '@kervan/contract';
import { describe, expect, it } from 'vitest';
import type { SwapRequest } from '../port.ts';
import { assertFunds, baseFeeLamports, tokenAccountDepositLamports, type Holdings } from './funds.ts';

const token = { address: 'mint', name: 'Pebble', symbol: 'PEB', decimals: 6 };
const priorityFee = 1_234n;
const fees = baseFeeLamports + priorityFee;
const nothing: Holdings = { lamports: 0n, wrappedSolLamports: 0n, tokenUnits: 0n, hasTokenAccount: false };

function request(action: 'buy' | 'sell', amountInUnits: bigint): SwapRequest {
  return { owner: 'owner', action, tokenAddress: 'mint', amountInUnits, slippageBps: 100 };
}

function check(swap: SwapRequest, holdings: Holdings): unknown {
  try {
    assertFunds(swap, holdings, token, priorityFee);
  } catch (error) {
    return error instanceof KervanError ? error.context : error;
  }
  return 'enough';
}

describe('assertFunds', () => {
  it('lets a buy keep its fee and both deposits, to the lamport', () => {
    const needed = 1_000_000_000n + fees + 2n * tokenAccountDepositLamports;
    const swap = request('buy', 1_000_000_000n);
    expect(check(swap, { ...nothing, lamports: needed })).toBe('enough');
    expect(check(swap, { ...nothing, lamports: needed - 1n })).toEqual({
      available: '1.004084793',
      needed: '1.004084794',
      symbol: 'SOL',
    });
  });

  it('asks one deposit less where the token account exists', () => {
    const lamports = 5n + fees + tokenAccountDepositLamports;
    expect(check(request('buy', 5n), { ...nothing, lamports, hasTokenAccount: true })).toBe('enough');
    expect(check(request('buy', 5n), { ...nothing, lamports })).not.toBe('enough');
  });

  it('asks a sell for its tokens, and for SOL to pay the fee with', () => {
    const lamports = fees + tokenAccountDepositLamports;
    const holdings = { ...nothing, tokenUnits: 2_500_000n, hasTokenAccount: true };
    expect(check(request('sell', 2_500_000n), { ...holdings, lamports })).toBe('enough');
    expect(check(request('sell', 2_500_001n), { ...holdings, lamports })).toEqual({
      available: '2.5',
      needed: '2.500001',
      symbol: 'PEB',
    });
    expect(check(request('sell', 1n), { ...holdings, lamports: lamports - 1n })).toMatchObject({
      symbol: 'SOL',
    });
  });
});
