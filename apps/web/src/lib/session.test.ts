import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session as Stored } from '@kervan/contract';
import { ApiError } from './api-error.ts';
import { createSession, type SessionDeps } from './session.ts';
import { createSessionStorage } from './session-storage.ts';

const user = { id: '01890000-0000-7000-8000-000000000000', username: 'ayşe' };
const MINUTE = 60_000;

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token as the server makes it, good for so many minutes. */
const token = (minutes: number, name = 't') =>
  `h.${base64url({ sub: name, exp: (Date.now() + minutes * MINUTE) / 1000 })}.s`;
const stored = (minutes: number, name?: string): Stored => ({ access_token: token(minutes, name), user });

function memoryStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    clear: () => values.clear(),
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    removeItem: (key) => void values.delete(key),
    setItem: (key, value) => void values.set(key, value),
  };
}

function setUp(overrides: Partial<SessionDeps> = {}) {
  const browser = memoryStorage();
  const deps = {
    storage: createSessionStorage(browser),
    requestRefresh: vi.fn<() => Promise<Stored>>().mockRejectedValue(new Error('must not be called')),
    requestLogout: vi.fn<(used: string) => Promise<unknown>>().mockResolvedValue(null),
    exclusively: <T>(task: () => Promise<T>) => task(),
    onEnded: vi.fn<() => void>(),
    now: Date.now,
    ...overrides,
  };
  return { browser, deps, session: createSession(deps) };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('begins loading, and without a stored token is signed out', async () => {
  const { session } = setUp();
  expect(session.get()).toEqual({ status: 'loading' });
  await session.restore();
  expect(session.get()).toEqual({ status: 'signed-out' });
});

test('restores a stored session whose token has not expired, without asking the server', async () => {
  const { session, deps } = setUp();
  const session1 = stored(10);
  deps.storage.write(session1);
  await session.restore();
  expect(session.get()).toEqual({ status: 'signed-in', user, token: session1.access_token });
  expect(deps.requestRefresh).not.toHaveBeenCalled();
});

test.each([
  ['expired', token(-1)],
  ['unreadable', 'no-token'],
])('refreshes when the stored token is %s', async (_, access_token) => {
  const fresh = stored(15, 'fresh');
  const { session, deps, browser } = setUp({ requestRefresh: async () => fresh });
  deps.storage.write({ access_token, user });
  await session.restore();
  expect(session.get()).toMatchObject({ status: 'signed-in', token: fresh.access_token });
  expect(browser.getItem('auth_token')).toBe(fresh.access_token);
  expect(JSON.parse(browser.getItem('user_data') ?? '')).toEqual(user);
});

test('a failed refresh at the start clears everything', async () => {
  const { session, deps, browser } = setUp({
    requestRefresh: async () => {
      throw ApiError.ofClient('NETWORK');
    },
  });
  deps.storage.write(stored(-1));
  await session.restore();
  expect(session.get()).toEqual({ status: 'signed-out' });
  expect(browser.length).toBe(0);
});

test('a broken user beside a token counts as no session', async () => {
  const { session, browser } = setUp();
  browser.setItem('auth_token', token(10));
  browser.setItem('user_data', '{');
  await session.restore();
  expect(session.get()).toEqual({ status: 'signed-out' });
});

test('calls that need a token at once share one refresh', async () => {
  const fresh = stored(30);
  const { session, deps } = setUp({
    requestRefresh: vi.fn<() => Promise<Stored>>().mockResolvedValue(fresh),
  });
  session.start(stored(0.05));
  expect(await Promise.all([session.freshToken(), session.freshToken(), session.refresh()])).toEqual([
    fresh.access_token,
    fresh.access_token,
    undefined,
  ]);
  expect(deps.requestRefresh).toHaveBeenCalledTimes(1);
});

test('a token is renewed a minute before its end', async () => {
  const requestRefresh = vi.fn<() => Promise<Stored>>().mockImplementation(async () => stored(15, 'renewed'));
  const { session } = setUp({ requestRefresh });
  session.start(stored(15));
  await vi.advanceTimersByTimeAsync(13 * MINUTE);
  expect(requestRefresh).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1.5 * MINUTE);
  expect(requestRefresh).toHaveBeenCalledTimes(1);
});

test('a refused refresh ends the session, a server that is away does not', async () => {
  const requestRefresh = vi.fn<() => Promise<Stored>>().mockRejectedValue(ApiError.ofClient('NETWORK'));
  const { session, deps } = setUp({ requestRefresh });
  session.start(stored(15));
  await expect(session.refresh()).rejects.toMatchObject({ code: 'NETWORK' });
  expect(session.get().status).toBe('signed-in');
  requestRefresh.mockRejectedValue(ApiError.of('REFRESH_INVALID', 401));
  await expect(session.refresh()).rejects.toMatchObject({ code: 'REFRESH_INVALID' });
  expect(session.get()).toEqual({ status: 'signed-out' });
  expect(deps.onEnded).toHaveBeenCalledTimes(1);
});

test('a session that another tab has renewed is taken over instead of using the cookie again', async () => {
  const { session, deps } = setUp();
  session.start(stored(0.05, 'old'));
  const renewed = stored(15, 'by the other tab');
  deps.storage.write(renewed);
  expect(await session.freshToken()).toBe(renewed.access_token);
  expect(deps.requestRefresh).not.toHaveBeenCalled();
});

test('logout clears at once, even if the call fails', async () => {
  const { session, deps, browser } = setUp({
    requestLogout: vi.fn<() => Promise<unknown>>().mockRejectedValue(new Error()),
  });
  session.start(stored(10));
  session.logout();
  expect(session.get()).toEqual({ status: 'signed-out' });
  expect(browser.length).toBe(0);
  expect(deps.requestLogout).toHaveBeenCalledTimes(1);
  expect(deps.onEnded).toHaveBeenCalledTimes(1);
  await vi.runAllTimersAsync();
});

test('a refresh that answers after the logout does not sign in again', async () => {
  const answer = Promise.withResolvers<Stored>();
  const { session, browser } = setUp({ requestRefresh: () => answer.promise });
  session.start(stored(10));
  const refreshing = session.refresh();
  session.logout();
  answer.resolve(stored(15));
  await refreshing;
  expect(session.get()).toEqual({ status: 'signed-out' });
  expect(browser.length).toBe(0);
});

test('another tab’s logout ends this one’s session too', () => {
  const { session, deps } = setUp();
  session.start(stored(10));
  deps.storage.clear();
  session.adoptStored();
  expect(session.get()).toEqual({ status: 'signed-out' });
  expect(deps.onEnded).toHaveBeenCalledTimes(1);
});

test('who is signed out has no token', async () => {
  const { session } = setUp();
  await session.restore();
  await expect(session.freshToken()).rejects.toMatchObject({ code: 'AUTH_REQUIRED', status: 401 });
});
