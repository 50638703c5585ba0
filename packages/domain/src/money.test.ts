import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalText, formatUnits, minimumAfterSlippage, parseUnits, unitsFromNumber } from './money.ts';

const units = fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n });
const decimals = fc.integer({ min: 0, max: 30 });

describe('amounts', () => {
  test('every amount survives being written and read', () => {
    fc.assert(
      fc.property(units, decimals, (value, places) => {
        expect(parseUnits(formatUnits(value, places), places)).toBe(value);
      }),
    );
  });

  test('text is plain: no exponent, no trailing zero, no bare point', () => {
    fc.assert(
      fc.property(units, decimals, (value, places) => {
        expect(formatUnits(value, places)).toMatch(/^-?\d+(\.\d*[1-9])?$/);
      }),
    );
  });

  test.each(['', '.', '1.', '.5', '1e5', '1,5', ' 1', '0x1', '--1', 'NaN'])('"%s" is no amount', (text) => {
    expect(parseUnits(text, 9)).toBeUndefined();
  });

  test('more digits than the token has are refused, zeros beyond them are not', () => {
    expect(parseUnits('0.123', 2)).toBeUndefined();
    expect(parseUnits('0.1200', 2)).toBe(12n);
  });

  test('a typed number means its shortest decimal form', () => {
    expect(decimalText(1e-7)).toBe('0.0000001');
    expect(decimalText(1.5e21)).toBe('1500000000000000000000');
    expect(decimalText(-2.5e-7)).toBe('-0.00000025');
    expect(unitsFromNumber(0.1, 18)).toBe(100_000_000_000_000_000n);
    expect(unitsFromNumber(0.0000001, 6)).toBeUndefined();
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(decimalText(value))).toBe(Object.is(value, -0) ? 0 : value);
      }),
    );
  });

  test('slippage never raises the minimum and never asks for more than the share', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        fc.integer({ min: 0, max: 10_000 }),
        (value, slippageBps) => {
          const minimum = minimumAfterSlippage(value, slippageBps);
          expect(minimum).toBeLessThanOrEqual(value);
          expect(minimum * 10_000n).toBeLessThanOrEqual(value * BigInt(10_000 - slippageBps));
          expect((minimum + 1n) * 10_000n).toBeGreaterThan(value * BigInt(10_000 - slippageBps));
        },
      ),
    );
  });
});
