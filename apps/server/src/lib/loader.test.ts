import { expect, test } from 'vitest';
import { createLoader } from './loader.ts';

test('what is asked for together is loaded together, each key once, and never kept', async () => {
  const loads: string[][] = [];
  const load = createLoader(async (keys) => {
    loads.push([...keys]);
    return new Map(keys.filter((key) => key !== 'missing').map((key) => [key, key.toUpperCase()]));
  });
  expect(await Promise.all([load('a'), load('b'), load('a'), load('missing')])).toEqual([
    'A',
    'B',
    'A',
    undefined,
  ]);
  expect(await load('a')).toBe('A');
  expect(loads).toEqual([['a', 'b', 'missing'], ['a']]);
});

test('a failure reaches all that asked together, and nobody after', async () => {
  let isAway = true;
  const load = createLoader(async (keys) => {
    if (isAway) throw new Error('away');
    return new Map(keys.map((key) => [key, key]));
  });
  const settled = await Promise.allSettled([load('a'), load('b')]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await load('a')).toBe('a');
});
