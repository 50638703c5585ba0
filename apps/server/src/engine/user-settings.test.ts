import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, tradeLimits } from './user-settings.ts';

test('limits are exact in base units, and what is finer than a unit is cut off', () => {
  const limits = (maxNativePerTrade: number | null) =>
    tradeLimits(
      {
        ...DEFAULT_SETTINGS,
        solana: { network: 'sandbox', limits: { maxNativePerTrade, maxNativePerWalletPerDay: 3 } },
      },
      'solana',
    );
  expect(limits(0.1)).toEqual({ perTradeUnits: 100_000_000n, perWalletDayUnits: 3_000_000_000n });
  expect(limits(1.2345678919).perTradeUnits).toBe(1_234_567_891n);
  expect(limits(1e-12).perTradeUnits).toBe(0n);
  expect(limits(null).perTradeUnits).toBeNull();
  expect(tradeLimits(DEFAULT_SETTINGS, 'bsc')).toEqual({ perTradeUnits: null, perWalletDayUnits: null });
});
