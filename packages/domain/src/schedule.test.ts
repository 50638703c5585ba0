import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawAmount, drawDelayMs } from './schedule.ts';

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const run = fc.bigInt({ min: 0n, max: 10n ** 12n });

test('amounts stay within their bounds, both included, and come out the same again', () => {
  fc.assert(
    fc.property(
      seed,
      run,
      fc.bigInt({ min: 1n, max: 10n ** 30n }),
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
      (key, number, min, width) => {
        const amount = drawAmount(key, number, min, min + width);
        expect(amount).toBeGreaterThanOrEqual(min);
        expect(amount).toBeLessThanOrEqual(min + width);
        expect(drawAmount(key, number, min, min + width)).toBe(amount);
      },
    ),
  );
});

test('an amount is at least one base unit, even of a range that begins at nothing', () => {
  fc.assert(
    fc.property(seed, run, fc.bigInt({ min: 0n, max: 3n }), (key, number, max) => {
      const amount = drawAmount(key, number, 0n, max);
      expect(amount).toBeGreaterThanOrEqual(1n);
      expect(amount).toBeLessThanOrEqual(max > 1n ? max : 1n);
    }),
  );
});

test('delays are at least 5 s, whatever the bounds say, and never beyond the maximum', () => {
  fc.assert(
    fc.property(seed, run, fc.nat(4000), fc.nat(4000), (key, number, minSec, maxSec) => {
      const delayMs = drawDelayMs(key, number, minSec, maxSec);
      expect(delayMs).toBeGreaterThanOrEqual(Math.max(5, minSec) * 1000);
      expect(delayMs).toBeLessThanOrEqual(Math.max(5, minSec, maxSec) * 1000);
    }),
  );
});

test('draws use the whole range and do not follow each other', () => {
  const key = new Uint8Array(32).fill(7);
  const delays = Array.from({ length: 2000 }, (_, index) => drawDelayMs(key, BigInt(index), 10, 20));
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
  // A uniform draw from 10 to 20 s has a mean of 15 s; 2000 of them stay within 0.4 s of it (6 sigma).
  expect(Math.abs(mean - 15_000)).toBeLessThan(400);
  expect(Math.min(...delays)).toBeLessThan(10_100);
  expect(Math.max(...delays)).toBeGreaterThan(19_900);
});

test('another seed or another run draws another amount', () => {
  const draws = new Set<bigint>();
  for (let key = 0; key < 20; key++)
    for (let number = 0n; number < 20n; number++)
      draws.add(drawAmount(new Uint8Array(32).fill(key), number, 0n, 10n ** 30n));
  expect(draws.size).toBe(400);
});
