import type { Trade } from '@kervan/contract';
import { expect, test } from 'vitest';
import { matchesSearch } from './trade-search.ts';

const trade = {
  id: '0198a4f2-0000-7000-8000-000000000001',
  bot_name: 'İyi Bot',
  wallet_name: 'Hazine',
  wallet_public_key: 'WalletKey111',
  token_address: '0xToken',
  transaction_hash: '0xHash',
  token_symbol: 'CAKE',
} as Trade; // the fields that are searched, and one that is not

test.each(['', '  ', 'iyi', 'IYI', 'ıyı', 'hazine', 'walletkey', '0XTOKEN', '0xhash', '0198a4f2'])(
  '"%s" finds the trade',
  (text) => {
    expect(matchesSearch(trade, text)).toBe(true);
  },
);

test.each(['cake', 'other', '0xhash 1'])('"%s" does not', (text) => {
  expect(matchesSearch(trade, text)).toBe(false);
});

test('a trade without bot and hash is found by what it has', () => {
  expect(matchesSearch({ ...trade, bot_name: null, transaction_hash: null }, 'hazine')).toBe(true);
});
