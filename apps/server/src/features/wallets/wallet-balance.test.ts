import { expect, test } from 'vitest';
import { toWalletBalance } from './wallet-balance.ts';

const token = (address: string, symbol: string) => ({ address, symbol, name: symbol, decimals: 6 });
const holdings = [
  { token: token('usdc', 'USDC'), units: 2_500_000n },
  { token: token('meme', 'MEME'), units: 9_999_999_999n },
];
const price = { price: '150.25', at: new Date('2026-11-21T10:00:00Z') };
const stablecoin = { address: 'usdc', decimals: 6 };

test('SOL counts at its price and stablecoins as dollars; other tokens are shown and not counted', () => {
  const balance = toWalletBalance({ lamports: 2_000_000_001n, holdings, price, stablecoin });
  expect(balance).toMatchObject({
    sol: '2.000000001',
    totalUsdValue: '303',
    priceAt: '2026-11-21T10:00:00.000Z',
  });
  expect(balance.tokens[1]).toEqual({
    mint: 'meme',
    amount: '9999999999',
    decimals: 6,
    uiAmount: '9999.999999',
    symbol: 'MEME',
    name: 'MEME',
  });
});

test('an empty wallet is worth nothing, one without a price is of unknown worth', () => {
  expect(toWalletBalance({ lamports: 0n, holdings: [], price, stablecoin }).totalUsdValue).toBe('0');
  for (const unknown of [
    { price: null, stablecoin },
    { price, stablecoin: undefined },
  ]) {
    const balance = toWalletBalance({ lamports: 5n, holdings, ...unknown });
    expect([balance.totalUsdValue, balance.priceAt]).toEqual([null, null]);
  }
});
