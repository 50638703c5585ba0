import type { Session } from '@kervan/contract';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { codeOf, startTestServer, type TestServer } from './harness.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ isWorking: false });
});
afterAll(() => server.stop());

let count = 0;

/** A user signed in on two browsers. */
async function onTwoBrowsers() {
  const body = { username: `sessions-${(count += 1)}`, password: 'correct horse' };
  const phone = await server.call('register', { body, headers: { 'user-agent': 'Phone/1.0' } });
  const desk = await server.call('login', { body, headers: { 'user-agent': 'Desk/2.0' } });
  const as = ({ data }: { data: Session }) => ({ authorization: `Bearer ${data.access_token}` });
  const cookie = phone.response.cookies.find(({ name }) => name === 'kervan_refresh')?.value ?? '';
  return {
    phone: as(phone),
    desk: as(desk),
    phoneCookie: { cookie: `kervan_refresh=${cookie}` },
    token: phone.data.access_token,
  };
}

describe('sessions', () => {
  test('are listed with what the browser called itself, the one that asks marked', async () => {
    const { desk } = await onTwoBrowsers();
    const { data, meta } = await server.call('listSessions', { headers: desk });
    expect(data.map(({ user_agent, is_current }) => [user_agent, is_current])).toEqual([
      ['Desk/2.0', true],
      ['Phone/1.0', false],
    ]);
    expect(meta.pagination).toMatchObject({ total: 2, page: 1 });
  });

  test('one of them can be ended from another; its tokens are worth nothing then', async () => {
    const { phone, desk, phoneCookie } = await onTwoBrowsers();
    const { data } = await server.call('listSessions', { headers: desk });
    const other = data.find(({ is_current }) => !is_current);
    const params = { id: other?.id ?? '' };
    await server.call('endSession', { params, headers: desk });
    expect(codeOf(await server.call('getSettings', { headers: phone }))).toBe('AUTH_REQUIRED');
    expect(codeOf(await server.call('refresh', { headers: phoneCookie }))).toBe('REFRESH_INVALID');
    expect((await server.call('getSettings', { headers: desk })).status).toBe(200);
    expect(codeOf(await server.call('endSession', { params, headers: desk }))).toBe('SESSION_NOT_FOUND');
  });

  test('nobody ends another user’s', async () => {
    const [{ desk }, stranger] = [await onTwoBrowsers(), await server.registerUser()];
    const { data } = await server.call('listSessions', { headers: desk });
    for (const { id } of data) {
      expect(codeOf(await stranger.call('endSession', { params: { id } }))).toBe('SESSION_NOT_FOUND');
    }
    expect((await server.call('getSettings', { headers: desk })).status).toBe(200);
  });
});

test('logging out everywhere ends every session of the user with its sockets, and nobody else’s', async () => {
  const [{ phone, desk, phoneCookie, token }, stranger] = [
    await onTwoBrowsers(),
    await server.registerUser(),
  ];
  const address = await server.listen();
  const options = { transports: ['websocket'], reconnection: false };
  const [own, foreign] = [token, stranger.token].map((each) =>
    io(address, { ...options, auth: { token: each } }),
  );
  try {
    await vi.waitFor(() => expect([own?.connected, foreign?.connected]).toEqual([true, true]));
    expect((await server.call('endSessions', { headers: desk })).data).toEqual({ ended: 2 });
    await vi.waitFor(() => expect(own?.connected).toBe(false));
    expect(foreign?.connected).toBe(true);
    for (const headers of [phone, desk])
      expect(codeOf(await server.call('getSettings', { headers }))).toBe('AUTH_REQUIRED');
    expect(codeOf(await server.call('refresh', { headers: phoneCookie }))).toBe('REFRESH_INVALID');
    expect((await stranger.call('getSettings')).status).toBe(200);
  } finally {
    own?.close();
    foreign?.close();
  }
});
