import { expect, test } from 'vitest';
import { ERRORS, errorMessage, KervanError, type ErrorCode } from './errors.ts';
import { ISSUES } from './issues.ts';

// Object.keys loses the key type of a literal table.
const codes = Object.keys(ERRORS) as ErrorCode[];

const placeholders = (text: string) => new Set(text.match(/\{\w+\}/g));

// The spec fixes the English sentence; Turkish may add figures from the context.
const FIXED_BY_SPEC = new Set<ErrorCode>(['RATE_LIMITED']);

test.each(codes)('%s says the same in both languages', (code) => {
  const { en, tr, status } = ERRORS[code];
  expect(en).not.toBe('');
  expect(tr).not.toBe('');
  expect(tr).not.toBe(en);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(placeholders(FIXED_BY_SPEC.has(code) ? en : tr)).toEqual(placeholders(en));
});

test('the context fills the sentence; what is missing shows as a dash', () => {
  expect(errorMessage('LIMIT_PER_TRADE', { value: '2', symbol: 'SOL' })).toBe(
    'The trade is worth 2 SOL; the limit for one trade is — SOL.',
  );
});

test.each(['en', 'tr'] as const)('what is wrong with a field is told in words: %s', (language) => {
  for (const [issue, phrase] of Object.entries(ISSUES)) {
    const context = { field: 'name', issue, limit: 3, options: 'a, b' };
    const message = errorMessage('VALIDATION_FAILED', context, language);
    expect(message).toContain(phrase[language].replace('{limit}', '3').replace('{options}', 'a, b'));
    expect(phrase.tr).not.toBe(phrase.en);
  }
});

test('the cause of an error is not part of its message', () => {
  const error = new KervanError('PRIVATE_KEY_INVALID', {}, { cause: new Error('a secret') });
  expect(error.message).not.toContain('secret');
});
