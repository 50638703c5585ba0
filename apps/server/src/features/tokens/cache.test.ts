import { expect, test, vi } from 'vitest';
import { createCache } from './cache.ts';

let now = 0;
const cacheOf = (max: number, ttlMs = 1_000) =>
  createCache<string>({ max, ttlMs: () => ttlMs, now: () => now });

test('a value is made once for its time, also for those who ask together', async () => {
  now = 0;
  const get = cacheOf(10);
  const make = vi.fn<() => Promise<string>>(async () => 'made');
  expect(await Promise.all([get('a', make), get('a', make)])).toEqual(['made', 'made']);
  now = 999;
  await get('a', make);
  expect(make).toHaveBeenCalledTimes(1);
  now = 1_000;
  await get('a', make);
  expect(make).toHaveBeenCalledTimes(2);
});

test('a failure is not remembered', async () => {
  const get = cacheOf(10);
  await expect(get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await get('a', async () => 'there')).toBe('there');
});

test('the oldest key goes when there are too many', async () => {
  const get = cacheOf(2);
  for (const key of ['a', 'b', 'c']) await get(key, async () => `first ${key}`);
  expect(await get('c', async () => 'second c')).toBe('first c');
  expect(await get('a', async () => 'second a')).toBe('second a');
});
