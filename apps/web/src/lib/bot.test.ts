import { describe, expect, test } from 'vitest';
import { amountSymbol, formatClock, formatRange, timeLeft } from './bot.ts';

describe('the time left until a run', () => {
  test('counts whole seconds down and the progress up', () => {
    expect(timeLeft({ nextRunAt: 100_000, intervalSec: 60 }, 55_000)).toEqual({
      seconds: 45,
      progress: 0.25,
    });
    expect(timeLeft({ nextRunAt: 100_000, intervalSec: 60 }, 99_999)?.seconds).toBe(1);
  });

  test('is over, not negative, when the run is due', () => {
    expect(timeLeft({ nextRunAt: 100_000, intervalSec: 60 }, 130_000)).toEqual({ seconds: 0, progress: 1 });
  });

  test('is never more than the interval, whatever the clocks say', () => {
    expect(timeLeft({ nextRunAt: 100_000, intervalSec: 60 }, 0)).toEqual({ seconds: 60, progress: 0 });
  });

  test('is unknown while nothing is scheduled', () => {
    expect(timeLeft({ nextRunAt: null, intervalSec: null }, 0)).toBeUndefined();
  });
});

test('a clock has hours only when it needs them', () => {
  expect([5, 65, 3600].map(formatClock)).toEqual(['0:05', '1:05', '1:00:00']);
});

test('amounts are in native units for buys and in tokens for sells', () => {
  expect(amountSymbol('bsc', { action: 'buy', token_symbol: 'CAKE' })).toBe('BNB');
  expect(amountSymbol('solana', { action: 'sell', token_symbol: 'BONK' })).toBe('BONK');
  expect(amountSymbol('solana', { action: 'sell', token_symbol: null })).toBe('');
});

test('a range is written in the reader’s separators, also when a number prints with an exponent', () => {
  expect(formatRange(0.01, 0.02, 'tr')).toBe('0,01 – 0,02');
  expect(formatRange(1e-7, 1500, 'en')).toBe('0.0000001 – 1,500');
});
