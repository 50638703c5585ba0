import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountBounds, delayBefore, drawNumberOf, runAmount } from './draws.ts';

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const runNumber = fc.bigInt({ min: 0n, max: 1n << 40n });

describe('the schedule of a bot', () => {
  test('stays within the bounds and can be replayed from seed and run number', () => {
    const bots = fc.record({
      seed,
      chain: fc.constantFrom('solana' as const, 'bsc' as const),
      action: fc.constantFrom('buy' as const, 'sell' as const),
      token_decimals: fc.integer({ min: 4, max: 18 }),
      amount_min: fc.integer({ min: 1, max: 10_000 }).map((n) => n / 10_000),
      amount_max: fc.integer({ min: 2, max: 1_000_000 }),
      range_time_min: fc.integer({ min: 5, max: 1800 }),
      range_time_max: fc.integer({ min: 1801, max: 3600 }),
    });
    fc.assert(
      fc.property(bots, runNumber, (bot, run) => {
        const bounds = amountBounds(bot);
        const amount = runAmount(bot, run);
        if (!bounds || amount === undefined) throw new Error('every amount here has at most four decimals');
        expect(amount >= bounds.minUnits && amount <= bounds.maxUnits).toBe(true);
        expect(runAmount(bot, run)).toBe(amount);

        const delayMs = delayBefore(bot, run);
        expect(delayMs).toBeGreaterThanOrEqual(bot.range_time_min * 1000);
        expect(delayMs).toBeLessThanOrEqual(bot.range_time_max * 1000);
        expect(delayBefore(bot, run)).toBe(delayMs);
      }),
    );
  });

  test('never waits less than five seconds, whatever is stored', () => {
    fc.assert(
      fc.property(seed, runNumber, (seed, run) => {
        expect(delayBefore({ seed, range_time_min: 0, range_time_max: 1 }, run)).toBe(5000);
      }),
    );
  });

  test('differs from bot to bot', () => {
    const amounts = [1, 2, 3].map((byte) =>
      runAmount(
        {
          seed: Buffer.alloc(32, byte),
          chain: 'solana',
          action: 'buy',
          token_decimals: 6,
          amount_min: 1,
          amount_max: 2,
        },
        0n,
      ),
    );
    expect(new Set(amounts).size).toBe(3);
  });
});

describe('amounts', () => {
  const bot = { chain: 'solana', token_decimals: 2, amount_min: 0.5, amount_max: 1.25 } as const;

  test('are native for a buy and tokens for a sell', () => {
    expect(amountBounds({ ...bot, action: 'buy' })).toEqual({
      minUnits: 500_000_000n,
      maxUnits: 1_250_000_000n,
    });
    expect(amountBounds({ ...bot, action: 'sell' })).toEqual({ minUnits: 50n, maxUnits: 125n });
  });

  test('are unknown for a sell without a token, and where the token is too coarse', () => {
    expect(amountBounds({ ...bot, action: 'sell', token_decimals: null })).toBeUndefined();
    expect(amountBounds({ ...bot, action: 'sell', token_decimals: 1 })).toBeUndefined();
  });
});

test('a trade outside the schedule draws by its key, with a number that no run has', () => {
  expect(drawNumberOf('a')).toBe(drawNumberOf('a'));
  expect(drawNumberOf('a')).not.toBe(drawNumberOf('b'));
  expect(drawNumberOf('a')).toBeGreaterThan(2n ** 63n - 1n);
});
