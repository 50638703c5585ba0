import { expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { createApi } from './api.ts';
import type { SessionState } from './session.ts';

const user = { id: 'u', username: 'ali' };

function setUp(error: ApiError, state: SessionState = { status: 'signed-in', user, token: 't1' }) {
  const end = vi.fn<() => void>();
  const send = async () => {
    throw error;
  };
  return { end, api: createApi(send, { end, get: () => state, freshToken: async () => 't1' }) };
}

test('any 401 ends the session', async () => {
  const { api, end } = setUp(ApiError.of('AUTH_REQUIRED', 401));
  await expect(api.call('listWallets', {})).rejects.toMatchObject({ status: 401 });
  expect(end).toHaveBeenCalledTimes(1);
});

test('another refusal does not', async () => {
  const { api, end } = setUp(ApiError.of('WALLET_NOT_FOUND', 404));
  await expect(api.call('listWallets', {})).rejects.toMatchObject({ status: 404 });
  expect(end).not.toHaveBeenCalled();
});

test('a late 401 for the token of the session before leaves this one alone', async () => {
  const { api, end } = setUp(ApiError.of('AUTH_REQUIRED', 401), { status: 'signed-in', user, token: 't2' });
  await expect(api.call('listWallets', {})).rejects.toMatchObject({ status: 401 });
  expect(end).not.toHaveBeenCalled();
});
