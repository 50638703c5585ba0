import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percentOfBalance } from './fast-swap.ts';

const units = fc.bigInt({ min: 0n, max: 10n ** 40n });
const percent = fc.integer({ min: 1, max: 100 });

describe('the part of a balance that a fast swap trades', () => {
  it('is everything to the last unit at 100 percent where nothing is kept', () => {
    fc.assert(
      fc.property(units, (balance) => {
        expect(percentOfBalance(balance, 0n, 100)).toBe(balance);
      }),
    );
  });

  it('leaves what is to be kept, and is never negative', () => {
    fc.assert(
      fc.property(units, units, percent, (balance, keep, part) => {
        const amount = percentOfBalance(balance, keep, part);
        expect(amount).toBeGreaterThanOrEqual(0n);
        expect(balance - amount).toBeGreaterThanOrEqual(keep < balance ? keep : balance);
      }),
    );
  });

  it('is the percentage rounded down, or all that is not kept', () => {
    fc.assert(
      fc.property(units, units, percent, (balance, keep, part) => {
        const amount = percentOfBalance(balance, keep, part);
        const rounded = (balance * BigInt(part)) / 100n;
        const free = balance > keep ? balance - keep : 0n;
        expect(amount).toBe(rounded < free ? rounded : free);
      }),
    );
  });

  it('grows with the percentage and with the balance', () => {
    fc.assert(
      fc.property(units, units, units, percent, percent, (balance, more, keep, one, other) => {
        const [less, greater] = one < other ? [one, other] : [other, one];
        expect(percentOfBalance(balance, keep, less)).toBeLessThanOrEqual(
          percentOfBalance(balance + more, keep, greater),
        );
      }),
    );
  });

  it('of parts sold one after the other is never more than there was', () => {
    fc.assert(
      fc.property(units, fc.array(percent, { maxLength: 8 }), (balance, parts) => {
        let left = balance;
        for (const part of parts) left -= percentOfBalance(left, 0n, part);
        expect(left).toBeGreaterThanOrEqual(0n);
      }),
    );
  });
});
