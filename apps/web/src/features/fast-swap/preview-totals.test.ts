import type { FastSwapPreviewLeg } from '@kervan/contract';
import { expect, test } from 'vitest';
import { severityOf, totalsOf } from './preview-totals.ts';

const leg = (changes: Partial<FastSwapPreviewLeg>): FastSwapPreviewLeg => ({
  walletId: 'id',
  walletName: 'Wallet',
  address: 'address',
  isAtomic: true,
  needsApproval: false,
  amountIn: '1.000000001',
  expectedOut: '20',
  minimumOut: '19.5',
  fee: '0.000005',
  tip: '0',
  rent: '0',
  priceImpactBps: 10,
  error: null,
  ...changes,
});

test('only legs that would trade are summed, to the last digit', () => {
  const failing = leg({ error: { code: 'BALANCE_INSUFFICIENT', message: 'no', context: {} }, fee: '9' });
  const unknown = leg({ tip: '0.00001', minimumOut: null, priceImpactBps: null });
  expect(totalsOf([leg({}), failing, unknown])).toEqual({
    trading: 2,
    failing: 1,
    amountIn: '2.000000002',
    expectedOut: '40',
    minimumOut: '19.5',
    fee: '0.00001',
    tip: '0.00001',
    rent: '0',
    priceImpactBps: 10,
  });
});

test('nothing that would trade comes to nothing', () => {
  expect(totalsOf([])).toMatchObject({ trading: 0, amountIn: '0', priceImpactBps: null });
});

test.each([
  [null, 'low'],
  [99, 'low'],
  [100, 'warning'],
  [299, 'warning'],
  [300, 'high'],
] as const)('a price impact of %s bps is %s', (bps, severity) => {
  expect(severityOf(bps)).toBe(severity);
});
