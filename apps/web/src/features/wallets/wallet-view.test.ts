import { expect, test } from 'vitest';
import { totalBalance, type WalletView } from './wallet-view.ts';

function wallet(balance: string | undefined): WalletView {
  return { id: 'id', name: 'Main', address: 'address', createdAt: '2026-11-21T00:00:00.000Z', balance };
}

test('the total is exact, and zero without wallets', () => {
  expect(totalBalance([wallet('0.1'), wallet('0.2'), wallet('1000000000.000000001')])).toBe(
    '1000000000.300000001',
  );
  expect(totalBalance([])).toBe('0');
});

test('a balance that is not known makes the total unknown, not smaller', () => {
  expect(totalBalance([wallet('1'), wallet(undefined)])).toBeUndefined();
});
