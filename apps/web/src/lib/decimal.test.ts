import { expect, test } from 'vitest';
import type { Language } from '@kervan/contract';
import { compareDecimals, parseDecimalInput, sumDecimals } from './decimal.ts';

test('decimal texts are added without losing a digit', () => {
  expect(sumDecimals(['0.1', '0.2'])).toBe('0.3');
  expect(sumDecimals(['123456789012345678.000000000000000001', '1'])).toBe(
    '123456789012345679.000000000000000001',
  );
  expect(sumDecimals(['-0.5', '0.25'])).toBe('-0.25');
  expect(sumDecimals([])).toBe('0');
});

test('decimal texts are compared by value, not by their text', () => {
  expect(compareDecimals('10', '9')).toBe(1);
  expect(compareDecimals('1.50', '1.5')).toBe(0);
  expect(compareDecimals('-1', '0')).toBe(-1);
});

test.each<[Language, string, string | undefined]>([
  ['tr', '1,5', '1.5'],
  ['tr', '1.5', '1.5'],
  ['tr', '1.234,56', '1234.56'],
  ['tr', '1.234.567', '1234567'],
  ['tr', '1.234', undefined],
  ['tr', '0.234', '0.234'],
  ['tr', '1,234', '1.234'],
  ['en', '1,234', undefined],
  ['en', '1.234', '1.234'],
  ['en', '1,234.5', '1234.5'],
  ['en', '1 000', '1000'],
  ['en', '.5', '0.5'],
  ['en', '5.', '5'],
  ['en', '007', '7'],
  ['en', '1,23,4', undefined],
  ['en', '1.2.3,4', undefined],
  ['en', '1e5', undefined],
  ['en', '-1', undefined],
  ['en', '', undefined],
  ['en', '.', undefined],
])('in %s a person who types "%s" means %s', (language, input, meant) => {
  expect(parseDecimalInput(input, language)).toBe(meant);
});
