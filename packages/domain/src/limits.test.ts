import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkLimits, hasLimits, NO_LIMITS, startOfDay } from './limits.ts';

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });

test('a day’s trades, each checked against those before it, never pass the limit together', () => {
  fc.assert(
    fc.property(amount, fc.array(amount), (limit, values) => {
      let used = 0n;
      for (const value of values)
        if (checkLimits({ perTradeUnits: null, perWalletDayUnits: limit }, value, used) === 'ok')
          used += value;
      expect(used).toBeLessThanOrEqual(limit);
    }),
  );
});

test('a trade up to the limit passes, one unit more does not', () => {
  const limits = { perTradeUnits: 10n, perWalletDayUnits: 25n };
  expect(checkLimits(limits, 10n, 15n)).toBe('ok');
  expect(checkLimits(limits, 11n, 0n)).toBe('LIMIT_PER_TRADE');
  expect(checkLimits(limits, 10n, 16n)).toBe('LIMIT_PER_WALLET_DAY');
});

test('without limits everything passes', () => {
  expect(hasLimits(NO_LIMITS)).toBe(false);
  expect(checkLimits(NO_LIMITS, 10n ** 30n, 10n ** 30n)).toBe('ok');
});

test('the day is the UTC day', () => {
  expect(startOfDay(new Date('2026-11-21T23:59:59.999Z')).toISOString()).toBe('2026-11-21T00:00:00.000Z');
});
