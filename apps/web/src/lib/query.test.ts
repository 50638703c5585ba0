import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { retryDelayMs, shouldRetry } from './query.ts';

test('too many requests are tried three times more, each wait doubling, with jitter', () => {
  const error = ApiError.of('RATE_LIMITED', 429);
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, error))).toEqual([true, true, true, false]);
  expect([0, 1, 2].map((failures) => retryDelayMs(failures, () => 0))).toEqual([1_000, 2_000, 4_000]);
  expect(retryDelayMs(0, () => 1)).toBe(2_000);
});

test('a lost connection is tried once more, a refusal never', () => {
  expect(shouldRetry(0, ApiError.ofClient('NETWORK'))).toBe(true);
  expect(shouldRetry(1, ApiError.ofClient('NETWORK'))).toBe(false);
  expect(shouldRetry(0, ApiError.of('WALLET_NOT_FOUND', 404))).toBe(false);
});
