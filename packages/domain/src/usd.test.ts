import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatUnits, parseUnits } from './money.ts';
import { microsBound, parsePrice, storableMicros, tokenPrice, usdMicros, USD_DECIMALS } from './usd.ts';

test('a worth is native amount times price, to the millionth of a dollar', () => {
  const price = parsePrice('149.6257') ?? 0n;
  expect(usdMicros(1_500_000_000n, 9, price)).toBe(224_438_550n);
  expect(usdMicros(10n ** 18n, 18, parsePrice('598.803591224411223344') ?? 0n)).toBe(598_803_591n);
  expect(usdMicros(1n, 9, price)).toBe(0n);
});

test('a price is a positive decimal; places beyond eighteen are cut off', () => {
  expect(parsePrice('0.1234567890123456789')).toBe(123_456_789_012_345_678n);
  for (const text of ['0', '0.0', '', '-1', '1e3', 'NaN']) expect(parsePrice(text)).toBeUndefined();
});

test('a token’s price times its amount is the trade’s worth again', () => {
  const trade = {
    nativeUnits: 25n * 10n ** 16n,
    nativeDecimals: 18,
    tokenUnits: 2_000_000n,
    tokenDecimals: 6,
  };
  expect(tokenPrice({ ...trade, nativePriceUnits: 600n * 10n ** 18n })).toBe('75');
  expect(tokenPrice({ ...trade, tokenUnits: 0n, nativePriceUnits: 1n })).toBeNull();
});

test('a bound lets exactly those stored worths through that the typed number would', () => {
  const typed = fc
    .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.integer({ min: 0, max: 12 }))
    .map(([units, places]) => formatUnits(units, places));
  fc.assert(
    fc.property(typed, fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), (text, micros) => {
      const exact = parseUnits(text, 12) ?? 0n;
      const stored = micros * 10n ** BigInt(12 - USD_DECIMALS);
      expect(micros >= microsBound(text, 'least')).toBe(stored >= exact);
      expect(micros <= microsBound(text, 'most')).toBe(stored <= exact);
    }),
  );
  expect(microsBound('9'.repeat(30), 'most')).toBe(2n ** 63n - 1n);
  expect(storableMicros(-(2n ** 70n))).toBe(-(2n ** 63n - 1n));
});
