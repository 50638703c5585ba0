import { expect, test } from 'vitest';
import {
  formatAmount,
  formatDate,
  formatExact,
  formatPercent,
  formatShort,
  formatUsd,
  shorten,
  UNKNOWN,
} from './format.ts';

const four = { digits: 4 };

test('an amount has as many digits as asked for, in the separators of the language', () => {
  expect(formatAmount('1234.5', four, 'en')).toBe('1,234.5000');
  expect(formatAmount('1234.5', four, 'tr')).toBe('1.234,5000');
});

test('an amount is cut, never rounded up to more than there is', () => {
  expect(formatAmount('0.99999999', four, 'en')).toBe('0.9999');
});

test('what is too small for the digits shows as below the smallest', () => {
  expect(formatAmount('0.00001', four, 'en')).toBe('<0.0001');
  expect(formatAmount('-0.00001', four, 'tr')).toBe('>-0,0001');
  expect(formatAmount('0', four, 'en')).toBe('0.0000');
});

test('what is not known is a dash and never zero', () => {
  expect(formatAmount(undefined, four, 'en')).toBe(UNKNOWN);
  expect(formatAmount(null, four, 'en')).toBe(UNKNOWN);
});

test('every digit of a text is kept where a number would lose it', () => {
  expect(formatExact('123456789012345678.123456789012345678', 'en')).toBe(
    '123,456,789,012,345,678.123456789012345678',
  );
});

test('a signed amount says + or -', () => {
  expect(formatAmount('1', { digits: 2, isSigned: true }, 'en')).toBe('+1.00');
  expect(formatAmount('0', { digits: 2, isSigned: true }, 'en')).toBe('0.00');
  expect(formatAmount('-1', { digits: 2, isSigned: true }, 'en')).toBe('-1.00');
});

test('Turkish puts the percent sign first', () => {
  expect(formatPercent('1.5', 'tr')).toBe('%1,5');
  expect(formatPercent('1.5', 'en')).toBe('1.5%');
});

test('a text that is no date has no format', () => {
  expect(formatDate('never', 'date', 'en')).toBeUndefined();
  expect(formatDate('2026-11-21T10:00:00.000Z', 'date', 'tr')).toContain('2026');
});

test('an address keeps its ends, a short text is whole', () => {
  expect(shorten('0x1234567890abcdef', 6, 4)).toBe('0x1234…cdef');
  expect(shorten('0x12345678', 6, 4)).toBe('0x12345678');
});

test('dollars have two to six digits, in the reader’s way', () => {
  expect(formatUsd('1234.5', 'en')).toBe('$1,234.50');
  expect(formatUsd('0.00012345', 'en')).toBe('$0.000123');
  expect(formatUsd('1234.5', 'tr')).toBe('$1.234,50');
  expect(formatUsd(null, 'en')).toBe('—');
});

test('token amounts are short from a thousand on, and never more than is there', () => {
  expect(formatShort('999.99999', 'en')).toBe('999.9999');
  expect(formatShort('1000', 'en')).toBe('1K');
  expect(formatShort('1999.999', 'en')).toBe('1.99K');
  expect(formatShort('999999.9', 'en')).toBe('999.99K');
  expect(formatShort('1500000', 'tr')).toBe('1,5M');
  expect(formatShort('123456789012345678901234567890.5', 'en')).toBe('123,456,789,012,345,678,901,234.56M');
  expect(formatShort(undefined, 'en')).toBe('—');
});
