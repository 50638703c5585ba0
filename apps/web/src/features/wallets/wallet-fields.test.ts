import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { fieldOf, issuesOf } from './wallet-fields.ts';

const hex = 'a'.repeat(64);

test('a wallet whose key the vault makes needs only a name', () => {
  expect(issuesOf('solana', { name: 'Main', key: undefined })).toEqual({});
  expect(issuesOf('bsc', { name: 'Main', key: undefined })).toEqual({});
});

test.each([
  ['solana', '', { name: 'WALLET_NAME_REQUIRED', key: 'PRIVATE_KEY_REQUIRED' }],
  ['bsc', `0x${hex}`, { name: 'WALLET_NAME_REQUIRED' }],
  ['bsc', `${hex}0`, { name: 'WALLET_NAME_REQUIRED', key: 'PRIVATE_KEY_HEX_INVALID' }],
] as const)('a %s wallet without a name and with the key "%s" is refused: %o', (chain, key, issues) => {
  expect(issuesOf(chain, { name: '  ', key })).toEqual(issues);
});

test('a refusal of the key is shown at the key, one of the wallet above the form', () => {
  expect(fieldOf(ApiError.of('PRIVATE_KEY_INVALID', 400))).toBe('key');
  expect(fieldOf(ApiError.of('PRIVATE_KEY_HEX_INVALID', 400))).toBe('key');
  expect(fieldOf(ApiError.of('WALLET_EXISTS', 409))).toBeUndefined();
  expect(fieldOf(new Error('else'))).toBeUndefined();
});
