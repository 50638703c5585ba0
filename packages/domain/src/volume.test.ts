import {
  VOLUME_BNB_MAX,
  VOLUME_BNB_MIN,
  VOLUME_SOL_MAX,
  VOLUME_SOL_MIN,
  VOLUME_WALLETS_MAX,
  VOLUME_WALLETS_MIN,
} from '@kervan/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unitsFromNumber } from './money.ts';
import {
  cycleOf,
  DRAIN_TRIES,
  drainStage,
  drainStages,
  isDust,
  planFunding,
  spendableUnits,
  turnAmount,
  turnOf,
} from './volume.ts';

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const walletCount = fc.integer({ min: VOLUME_WALLETS_MIN, max: VOLUME_WALLETS_MAX });
const chain = fc.constantFrom('solana' as const, 'bsc' as const);

/** Every pair of amounts that a person may type, in base units. */
const bounds = fc.oneof(
  typedBounds(VOLUME_SOL_MIN, VOLUME_SOL_MAX, 0.01, 9),
  typedBounds(VOLUME_BNB_MIN, VOLUME_BNB_MAX, 0.001, 18),
);
function typedBounds(min: number, max: number, step: number, decimals: number) {
  const steps = Math.round(1 / step);
  const typed = fc.integer({ min: Math.round(min * steps), max: Math.round(max * steps) });
  return fc.uniqueArray(typed, { minLength: 2, maxLength: 2 }).map((pair) => {
    const [least = 0, most = 0] = pair.toSorted((a, b) => a - b);
    return {
      minUnits: unitsFromNumber(least / steps, decimals) ?? 0n,
      maxUnits: unitsFromNumber(most / steps, decimals) ?? 0n,
    };
  });
}

describe('funding', () => {
  test('stays in bounds, is never more than there is, and comes out the same again', () => {
    fc.assert(
      fc.property(
        seed,
        walletCount,
        bounds,
        fc.integer({ min: 0, max: 2_000 }),
        (key, count, range, permille) => {
          // From nothing at all to twice what could be asked for.
          const available = (range.maxUnits * BigInt(count) * BigInt(permille)) / 1_000n;
          const plan = planFunding(key, count, range, available);
          expect(plan === undefined).toBe(available < range.minUnits * BigInt(count));
          if (!plan) return;
          expect(plan).toHaveLength(count);
          for (const amount of plan) {
            expect(amount).toBeGreaterThanOrEqual(range.minUnits);
            expect(amount).toBeLessThanOrEqual(range.maxUnits);
          }
          expect(plan.reduce((sum, amount) => sum + amount, 0n)).toBeLessThanOrEqual(available);
          expect(planFunding(key, count, range, available)).toEqual(plan);
        },
      ),
    );
  });

  test('is drawn from the whole range where there is enough', () => {
    const range = { minUnits: 100n, maxUnits: 200n };
    const amounts = Array.from({ length: 60 }, (_, byte) =>
      planFunding(new Uint8Array(32).fill(byte), 20, range, 4_000n),
    ).flatMap((plan) => plan ?? []);
    expect(amounts.some((amount) => amount < 110n)).toBe(true);
    expect(amounts.some((amount) => amount > 190n)).toBe(true);
  });
});

describe('a cycle', () => {
  test('has one buy and then one sell of every wallet, whatever the order', () => {
    fc.assert(
      fc.property(seed, walletCount, fc.integer({ min: 0, max: 100_000 }), (key, count, cycle) => {
        const turns = Array.from({ length: count * 2 }, (_, index) =>
          turnOf(key, cycle * count * 2 + index, count),
        );
        for (let wallet = 0; wallet < count; wallet++) {
          const actions = turns.filter((turn) => turn.wallet === wallet).map(({ action }) => action);
          expect(actions).toEqual(['buy', 'sell']);
        }
        expect(new Set(turns.map((turn) => turn.cycle))).toEqual(new Set([cycle + 1]));
        expect(cycleOf(cycle * count * 2, count)).toBe(cycle + 1);
      }),
      { numRuns: 50 },
    );
  });

  test('is in another order than the one before', () => {
    const order = (cycle: number) =>
      Array.from({ length: 20 }, (_, index) => turnOf(new Uint8Array(32), cycle * 20 + index, 10).wallet);
    expect(order(0)).not.toEqual(order(1));
  });
});

describe('a buy', () => {
  test('leaves the wallet what its way home costs', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 20n });
    fc.assert(
      fc.property(seed, fc.nat(), chain, units, units, (key, turn, onChain, balance, transferFee) => {
        const spendable = spendableUnits(onChain, balance, transferFee);
        expect(spendable).toBeGreaterThanOrEqual(0n);
        expect(spendable).toBeLessThanOrEqual(balance);
        const amount = turnAmount(key, turn, spendable);
        // Undefined stands for nothing, and that is right for next to nothing only.
        expect(amount ?? 1n).toBeGreaterThan(0n);
        expect((amount ?? 0n) * 10n).toBeLessThanOrEqual(spendable * 8n);
        expect(amount !== undefined || spendable < 4n).toBe(true);
        expect(turnAmount(key, turn, spendable)).toBe(amount);
      }),
    );
  });
});

describe('draining', () => {
  const held = fc.record({
    nativeUnits: fc.bigInt({ min: 0n, max: 3n }),
    tokenUnits: fc.bigInt({ min: 0n, max: 3n }),
    hasDeposit: fc.boolean(),
    isDust: fc.boolean(),
  });
  const stage = fc.constantFrom(...drainStages);

  test('never goes back a stage, and ends', () => {
    fc.assert(
      fc.property(stage, fc.nat({ max: DRAIN_TRIES + 1 }), held, (from, tries, holdings) => {
        const to = drainStage(from, tries, holdings);
        const isGivenUp = tries >= DRAIN_TRIES && from !== 'over';
        const least = drainStages.indexOf(from) + (isGivenUp ? 1 : 0);
        expect(drainStages.indexOf(to)).toBeGreaterThanOrEqual(least);
      }),
    );
  });

  test.each([
    ['sell', 0, { tokenUnits: 1n, nativeUnits: 1n, hasDeposit: true, isDust: false }, 'sell'],
    ['sell', DRAIN_TRIES, { tokenUnits: 1n, nativeUnits: 1n, hasDeposit: true, isDust: false }, 'tokens'],
    ['sell', 0, { tokenUnits: 0n, nativeUnits: 1n, hasDeposit: true, isDust: false }, 'tokens'],
    ['sell', 0, { tokenUnits: 0n, nativeUnits: 1n, hasDeposit: false, isDust: true }, 'native'],
    ['native', 1, { tokenUnits: 0n, nativeUnits: 1n, hasDeposit: false, isDust: false }, 'native'],
    ['native', 1, { tokenUnits: 0n, nativeUnits: 1n, hasDeposit: false, isDust: true }, 'over'],
    ['sell', 0, { tokenUnits: 0n, nativeUnits: 0n, hasDeposit: false, isDust: true }, 'over'],
  ] as const)('at %s after %i tries, with %o, is at %s', (stage, tries, holdings, expected) => {
    expect(drainStage(stage, tries, holdings)).toBe(expected);
  });

  test('knows dust by what moving it costs', () => {
    expect([895_879n, 895_880n].map((units) => isDust('solana', units, 5_000n))).toEqual([true, false]);
    expect([84n, 85n].map((units) => isDust('bsc', units, 21n))).toEqual([true, false]);
  });
});
