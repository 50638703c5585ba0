import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '@kervan/contract';
import { ApiError, codeText, errorText } from './api-error.ts';

// Object.keys loses the key type of a literal table.
const codes = Object.keys(ERRORS) as ErrorCode[];

test.each(codes)('%s has a sentence in both languages', (code) => {
  const error = ApiError.of(code, ERRORS[code].status);
  expect(errorText(error, 'tr')).not.toBe(errorText(error, 'en'));
});

test('what fails before an answer has a sentence too', () => {
  expect(errorText(ApiError.ofClient('NETWORK'), 'en')).toBe('The server cannot be reached.');
  expect(errorText(ApiError.ofClient('TIMEOUT'), 'tr')).toBe('Sunucu zamanında yanıt vermedi.');
});

test('a code that this build does not know shows the server’s own words', () => {
  expect(errorText(new ApiError({ status: 418, code: 'TEAPOT', message: 'I am a teapot.' }), 'tr')).toBe(
    'I am a teapot.',
  );
});

test('a field’s own rule is told instead of its code', () => {
  const context = { field: 'name', issue: 'WALLET_NAME_REQUIRED' };
  expect(codeText('VALIDATION_FAILED', context, 'en')).toBe('Please enter a wallet name');
});

test('an error that is no answer shows nothing of itself', () => {
  expect(errorText(new Error('a secret'), 'en')).not.toContain('secret');
});
