import fc from 'fast-check';
import { expect, it } from 'vitest';
import { priceImpactBps } from './price-impact.ts';

const token = '0x2222222222222222222222222222222222222222';
/** A constant-product pool without a fee. */
const pool = (reserveIn: bigint, reserveOut: bigint) => (amountIn: bigint) =>
  (reserveOut * amountIn) / (reserveIn + amountIn);

it('is what the trade’s size takes from the price, to a basis point', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 10n ** 20n, max: 10n ** 26n }),
      fc.bigInt({ min: 10n ** 20n, max: 10n ** 26n }),
      fc.integer({ min: 1, max: 9_000 }),
      (reserveIn, reserveOut, sharePerMille) => {
        const offerFor = pool(reserveIn, reserveOut);
        const amountIn = (reserveIn * BigInt(sharePerMille)) / 1_000n;
        const trade = { action: 'buy', token, amountIn } as const;
        const impact = priceImpactBps(trade, { amountOut: offerFor(amountIn), feeTier: 0 }, [
          { amountOut: offerFor(amountIn / 1_000n), feeTier: 0 },
        ]);
        // 1 − 1/(1 + share), less the little that the small part moves it.
        const exact = (10_000 * sharePerMille) / (1_000 + sharePerMille);
        expect(Math.abs((impact ?? NaN) - exact)).toBeLessThanOrEqual(1 + exact / 500 + sharePerMille / 100);
      },
    ),
  );
});

it('compares with the same pool only, and says nothing where rounding would speak', () => {
  const trade = { action: 'sell', token, amountIn: 1_000_000n } as const;
  const offer = { amountOut: 90_000_000n, feeTier: 500 };
  expect(priceImpactBps(trade, offer, [{ amountOut: 100_000n, feeTier: 500 }])).toBe(1_000);
  expect(priceImpactBps(trade, offer, [{ amountOut: 100_000n, feeTier: 100 }])).toBeNull();
  expect(priceImpactBps(trade, offer, [{ amountOut: 19_999n, feeTier: 500 }])).toBeNull();
  expect(priceImpactBps(trade, offer, [{ amountOut: 80_000n, feeTier: 500 }])).toBe(0);
});
