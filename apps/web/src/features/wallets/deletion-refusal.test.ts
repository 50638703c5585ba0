import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { usersOf } from './deletion-refusal.ts';

function refusal(code: string, context: Record<string, number>): ApiError {
  return new ApiError({ status: 409, code, message: code, context });
}

test('only a wallet in use is said to be used, and by how many', () => {
  expect(usersOf(refusal('WALLET_IN_USE', { bots: 2, trades: 0 }))).toEqual({ bots: 2, trades: 0 });
  expect(usersOf(refusal('WALLET_IN_USE', {}))).toBeUndefined();
  expect(usersOf(refusal('WALLET_NOT_FOUND', { bots: 2, trades: 0 }))).toBeUndefined();
  expect(usersOf(new Error('else'))).toBeUndefined();
});
