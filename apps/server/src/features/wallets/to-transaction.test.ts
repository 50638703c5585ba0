import { expect, test } from 'vitest';
import type { AssetChange, HistoryEntry } from '@kervan/chains';
import { toTransaction, toTransactionDetail } from './to-transaction.ts';

const usdc = { address: 'Usdc1111', name: 'USD Coin', symbol: 'USDC', decimals: 6 };

function entry(changes: AssetChange[], rest: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    txId: 'signature',
    height: 77n,
    landedAt: new Date(1_795_000_000_900),
    status: 'success',
    feeUnits: 5_000n,
    changes,
    ...rest,
  };
}

const sol = (units: bigint): AssetChange => ({ token: null, units });
const tokens = (units: bigint): AssetChange => ({ token: usdc, units });

test('a transaction shows its amounts exactly, in whole units', () => {
  expect(toTransaction(entry([sol(-1_500_000_001n), tokens(42n)]))).toEqual({
    signature: 'signature',
    blockTime: 1_795_000_000,
    slot: 77,
    fee: '0.000005',
    status: 'success',
    type: 'swap',
    amount: '-1.500000001',
    symbol: 'SOL',
    changes: [
      { tokenAddress: null, symbol: 'SOL', amount: '-1.500000001' },
      { tokenAddress: 'Usdc1111', symbol: 'USDC', amount: '0.000042' },
    ],
  });
});

test.each([
  [[sol(-1n)], 'send', 'SOL'],
  [[tokens(1n)], 'receive', 'USDC'],
  [[sol(2n), tokens(-1n)], 'swap', 'SOL'],
  [[], 'other', 'SOL'],
])('the changes %o make it a %s', (changes, type, symbol) => {
  expect(toTransaction(entry(changes))).toMatchObject({ type, symbol });
});

test('what the node no longer tells is null, not zero', () => {
  const shown = toTransaction(entry([], { landedAt: null, feeUnits: null }));
  expect(shown).toMatchObject({ blockTime: null, fee: null });
  expect(shown).not.toHaveProperty('amount');
});

test('the detail of a failed transaction says why in words', () => {
  const detail = toTransactionDetail({
    ...entry([], { status: 'failed' }),
    failure: { code: 'SLIPPAGE_EXCEEDED', context: {} },
    feePayer: 'wallet',
    accounts: [{ address: 'wallet', changeUnits: -5_000n }],
    logs: ['Program log: no'],
  });
  expect(detail).toMatchObject({
    error: { code: 'SLIPPAGE_EXCEEDED', message: 'The price moved by more than the slippage allows.' },
    accounts: [{ address: 'wallet', change: '-0.000005' }],
  });
});
