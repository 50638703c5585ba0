import { expect, test } from 'vitest';
import { NO_FILTERS, readFilters } from './filters.ts';

test('without filters the last seven days of everything are asked for', () => {
  expect(readFilters(NO_FILTERS, 'en')).toEqual({
    query: { chain: 'all', type: 'all', dateRange: '7d' },
    wrong: [],
  });
});

test('bounds are read in the reader’s separators', () => {
  const filters = { ...NO_FILTERS, minUsd: ' 1,5 ', maxUsd: '1.234,5' };
  expect(readFilters(filters, 'tr').query).toMatchObject({ minUsd: '1.5', maxUsd: '1234.5' });
});

test('a bound that is no number is named and filters nothing', () => {
  const { query, wrong } = readFilters({ ...NO_FILTERS, minUsd: 'much', maxUsd: '5' }, 'en');
  expect(wrong).toEqual(['minUsd']);
  expect(query).toEqual({ chain: 'all', type: 'all', dateRange: '7d', maxUsd: '5' });
});
