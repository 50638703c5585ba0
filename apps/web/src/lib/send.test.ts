import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { createSend } from './send.ts';

const answer = (status: number, body: unknown) => async () => new Response(JSON.stringify(body), { status });
const inTurkish = (): string => 'tr';
const failed = { success: false, data: null, meta: {} };

afterEach(() => {
  vi.useRealTimers();
});

test('a call sends its parts where its route has them, and gives the data', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(
    answer(200, { success: true, data: { halted: true }, error: null, meta: {} }),
  );
  const send = createSend(fetch, inTurkish);
  expect(await send('setHalt', { body: { halted: true } }, { token: 'abc' })).toEqual({ halted: true });
  expect(fetch).toHaveBeenCalledWith(
    '/api/v1/halt',
    expect.objectContaining({
      method: 'POST',
      body: '{"halted":true}',
      headers: {
        'accept-language': 'tr',
        authorization: 'Bearer abc',
        'content-type': 'application/json',
      },
    }),
  );
});

test('parameters are encoded and what is undefined is left out of the query', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(
    answer(200, { success: true, data: [], error: null, meta: {} }),
  );
  await createSend(fetch, inTurkish)('botLogs', { params: { id: 'a/b' }, query: { limit: undefined } });
  expect(fetch).toHaveBeenCalledWith('/api/v1/bots/a%2Fb/logs', expect.anything());
});

test('a refusal carries code, context and request id', async () => {
  const error = { code: 'WALLET_EXISTS', message: 'x', context: { name: 'a' }, requestId: 'r1' };
  const call = createSend(answer(409, { ...failed, error }), inTurkish)('listWallets', {});
  await expect(call).rejects.toMatchObject({
    status: 409,
    code: 'WALLET_EXISTS',
    context: { name: 'a' },
    requestId: 'r1',
  });
});

test('an answer that is no envelope is an invalid answer, whatever its status', async () => {
  const page = createSend(async () => new Response('<html>', { status: 200 }), inTurkish)('listWallets', {});
  await expect(page).rejects.toMatchObject({ code: 'ANSWER_INVALID' });
  const noData = createSend(answer(200, { success: true }), inTurkish)('listWallets', {});
  await expect(noData).rejects.toMatchObject({ code: 'ANSWER_INVALID' });
});

test('no connection is a network error with its cause', async () => {
  const cause = new TypeError('fetch failed');
  const call = createSend(async () => {
    throw cause;
  }, inTurkish)('listWallets', {});
  await expect(call).rejects.toMatchObject({ code: 'NETWORK', cause });
  await expect(call).rejects.toBeInstanceOf(ApiError);
});

test('the caller’s own abort stays an abort', async () => {
  const controller = new AbortController();
  const send = createSend(async (_, init) => {
    controller.abort();
    init?.signal?.throwIfAborted();
    return new Response();
  }, inTurkish);
  await expect(send('listWallets', {}, { signal: controller.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
});
