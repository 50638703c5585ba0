import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCESS_TOKEN_SEC } from '../src/features/auth/access-token.ts';
import { REUSE_GRACE_MS, SESSION_MS } from '../src/features/auth/service.ts';
import { codeOf, startTestServer, type Answered, type TestServer } from './harness.ts';

let server: TestServer;
let now = new Date('2026-11-21T10:00:00Z');

beforeAll(async () => {
  server = await startTestServer({ clock: () => now, isWorking: false });
});
afterAll(() => server.stop());

const pass = (ms: number) => (now = new Date(now.getTime() + ms));
const credentials = (username: string, password = 'correct horse') => ({ username, password });

function cookieOf(answered: Pick<Answered<never>, 'response'>): string {
  const cookie = answered.response.cookies.find(({ name }) => name === 'kervan_refresh');
  return cookie?.value ?? '';
}

const statusesOf = (answers: { status: number }[]) =>
  answers.map((answer) => answer.status).toSorted((a, b) => a - b);
const refresh = (cookie: string) =>
  server.call('refresh', { headers: { cookie: `kervan_refresh=${cookie}` } });
const settingsAs = (token: string) =>
  server.call('getSettings', { headers: { authorization: `Bearer ${token}` } });

describe('accounts', () => {
  test('registering signs in, and so does logging in afterwards', async () => {
    const registered = await server.call('register', { body: credentials('ada') });
    expect(registered.data.user.username).toBe('ada');
    const loggedIn = await server.call('login', { body: credentials('ada') });
    expect(loggedIn.data.user).toEqual(registered.data.user);
    for (const { data } of [registered, loggedIn]) {
      expect((await settingsAs(data.access_token)).status).toBe(200);
    }
  });

  test('a username is taken in any spelling of upper and lower case, Turkish letters included', async () => {
    await server.call('register', { body: credentials('Şükrü') });
    expect(codeOf(await server.call('register', { body: credentials('ŞÜKRÜ') }))).toBe('USERNAME_TAKEN');
    expect((await server.call('login', { body: credentials(' şükrü ') })).data.user.username).toBe('Şükrü');
  });

  test('two registrations of one name at once make one account', async () => {
    const body = credentials('twin');
    const answers = await Promise.all([server.call('register', { body }), server.call('register', { body })]);
    expect(statusesOf(answers)).toEqual([200, 409]);
  });

  test('a wrong password and an unknown user get the same answer', async () => {
    await server.call('register', { body: credentials('grace') });
    const wrong = await server.call('login', { body: credentials('grace', 'wrong password') });
    const unknown = await server.call('login', { body: credentials('nobody', 'wrong password') });
    expect([wrong.status, codeOf(wrong)]).toEqual([401, 'CREDENTIALS_INVALID']);
    expect(unknown.error?.message).toBe(wrong.error?.message);
  });

  test('the sentences for missing fields are the specified ones', async () => {
    const messageOf = async (body: object) =>
      (await server.call('login', { body: body as never })).error?.message;
    expect(await messageOf({ username: '  ', password: 'secret!' })).toBe('Username is required');
    expect(await messageOf({ password: 'secret!' })).toBe('Username is required');
    expect(await messageOf({ username: 'ada', password: '12345' })).toBe(
      'Password must be at least 6 characters long',
    );
  });

  test.each([
    ['null', null],
    ['a list', []],
    ['text', 'text'],
    ['numbers', { username: 1, password: 2 }],
    ['objects in fields', { username: ['ada'], password: {} }],
    ['an unknown field', { username: 'ada', password: 'secret!', role: 'admin' }],
    ['a NUL in the name', { username: 'a\0b', password: 'secret!' }],
    ['a long name', { username: 'a'.repeat(65), password: 'secret!' }],
    ['a long password', { username: 'ada', password: 's'.repeat(257) }],
  ])('a body of the wrong shape is refused: %s', async (_what, body) => {
    for (const route of ['register', 'login'] as const) {
      const answer = await server.call(route, { body: body as never });
      expect(answer.status).toBe(400);
    }
  });
});

describe('access tokens', () => {
  test('routes of users answer 401 without one, with a forged one and with an expired one', async () => {
    const { data } = await server.call('register', { body: credentials('linus') });
    const { access_token: token } = data;
    const [header = '', , signature = ''] = token.split('.');
    const claims = Buffer.from(JSON.stringify({ sub: data.user.id, sid: data.user.id, exp: 9e9 }));
    const forged = `${header}.${claims.toString('base64url')}.${signature}`;
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims.toString('base64url')}.`;
    for (const bad of ['', 'x', forged, unsigned]) {
      expect(codeOf(await settingsAs(bad))).toBe('AUTH_REQUIRED');
    }
    expect((await settingsAs(token)).status).toBe(200);
    pass((ACCESS_TOKEN_SEC + 1) * 1000);
    expect(codeOf(await settingsAs(token))).toBe('AUTH_REQUIRED');
  });
});

describe('refresh', () => {
  test('the cookie is seen by no script, sent by no other site, and only to the auth routes', async () => {
    const answer = await server.call('register', { body: credentials('cookie') });
    expect(answer.response.cookies[0]).toMatchObject({
      name: 'kervan_refresh',
      httpOnly: true,
      sameSite: 'Strict',
      path: '/api/v1/auth',
    });
    expect(answer.response.cookies[0]?.secure).toBeUndefined();
  });

  test('each token is exchanged once for a new pair', async () => {
    const first = cookieOf(await server.call('register', { body: credentials('rotating') }));
    const answer = await refresh(first);
    expect(answer.data.user.username).toBe('rotating');
    expect((await settingsAs(answer.data.access_token)).status).toBe(200);
    expect(cookieOf(answer)).not.toBe(first);
    expect((await refresh(cookieOf(answer))).status).toBe(200);
  });

  test('two tabs that send the same token together stay signed in', async () => {
    const token = cookieOf(await server.call('register', { body: credentials('two-tabs') }));
    const answers = await Promise.all([refresh(token), refresh(token)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    // The browser keeps the cookie that came last, whichever that was.
    const [, last] = answers;
    const next = await refresh(cookieOf(last));
    expect(next.status).toBe(200);
    expect((await refresh(cookieOf(next))).status).toBe(200);
    for (const answer of answers) expect((await settingsAs(answer.data.access_token)).status).toBe(200);
  });

  test.each(['owner', 'thief'])(
    'a token copied within the grace is found out when both successors are used, the %s last',
    async (last) => {
      const copied = cookieOf(await server.call('register', { body: credentials(`copied by ${last}`) }));
      const [owner, thief] = [await refresh(copied), await refresh(copied)];
      const [first, second] = last === 'thief' ? [owner, thief] : [thief, owner];
      const ahead = await refresh(cookieOf(first));
      expect(ahead.status).toBe(200);
      expect(codeOf(await refresh(cookieOf(second)))).toBe('REFRESH_INVALID');
      for (const { data } of [owner, thief, ahead]) {
        expect(codeOf(await settingsAs(data.access_token))).toBe('AUTH_REQUIRED');
      }
      expect(codeOf(await refresh(cookieOf(ahead)))).toBe('REFRESH_INVALID');
    },
  );

  test('a used token that comes back ends the session for whoever holds it', async () => {
    const stolen = cookieOf(await server.call('register', { body: credentials('robbed') }));
    const owner = await refresh(stolen);
    pass(REUSE_GRACE_MS + 1);
    expect(codeOf(await refresh(stolen))).toBe('REFRESH_INVALID');
    expect(codeOf(await refresh(cookieOf(owner)))).toBe('REFRESH_INVALID');
    expect(codeOf(await settingsAs(owner.data.access_token))).toBe('AUTH_REQUIRED');
  });

  test('a session that is not used for thirty days ends', async () => {
    const token = cookieOf(await server.call('register', { body: credentials('sleeper') }));
    pass(SESSION_MS + 1);
    expect(codeOf(await refresh(token))).toBe('REFRESH_INVALID');
  });

  test('no cookie and an unknown one are refused', async () => {
    expect(codeOf(await server.call('refresh'))).toBe('REFRESH_INVALID');
    expect(codeOf(await refresh('x'.repeat(5000)))).toBe('REFRESH_INVALID');
  });
});

test.each(['same-site', 'cross-site', 'nonsense'])(
  'what a page from elsewhere (%s) sends neither refreshes nor ends the session',
  async (site) => {
    const answer = await server.call('register', { body: credentials(`visitor of ${site}`) });
    const headers = { cookie: `kervan_refresh=${cookieOf(answer)}`, 'sec-fetch-site': site };
    for (const name of ['refresh', 'logout'] as const) {
      expect(codeOf(await server.call(name, { headers }))).toBe('CROSS_SITE_REFUSED');
    }
    expect((await settingsAs(answer.data.access_token)).status).toBe(200);
    for (const own of ['same-origin', 'none']) {
      const left = await server.call('logout', { headers: { ...headers, 'sec-fetch-site': own } });
      expect(left.status).toBe(200);
    }
  },
);

test('logging out ends the session, its tokens and its cookie', async () => {
  const answer = await server.call('register', { body: credentials('leaver') });
  const { access_token: token } = answer.data;
  const left = await server.call('logout', { headers: { cookie: `kervan_refresh=${cookieOf(answer)}` } });
  expect(left.data).toBeNull();
  expect(cookieOf(left)).toBe('');
  expect(codeOf(await settingsAs(token))).toBe('AUTH_REQUIRED');
  expect(codeOf(await refresh(cookieOf(answer)))).toBe('REFRESH_INVALID');
  expect((await server.call('logout')).status).toBe(200);
});

test('what is stored tells neither password nor refresh token', async () => {
  const answer = await server.call('register', { body: credentials('stored', 'very secret words') });
  const users = await server.db.selectFrom('users').selectAll().execute();
  const tokens = await server.db.selectFrom('refresh_tokens').selectAll().execute();
  expect(users.every((user) => user.password_hash.startsWith('$argon2id$v=19$m=19456,t=2,p=1$'))).toBe(true);
  const hashes = tokens.map((row) => row.token_hash.toString());
  expect(hashes.join()).not.toContain(cookieOf(answer));
  expect(server.logged()).not.toContain('very secret words');
  expect(server.logged()).not.toContain(cookieOf(answer));
  expect(server.logged()).not.toContain(answer.data.access_token);
});

describe('with limits', () => {
  let limited: TestServer;
  beforeAll(async () => {
    limited = await startTestServer({ clock: () => now, attemptsPerMinute: 3, isWorking: false });
  });

  test('guessing stops after a few failures, for that name only, and for a minute', async () => {
    await limited.call('register', { body: credentials('victim') });
    const guess = (username: string, password = 'guess!') =>
      limited.call('login', { body: { username, password } });
    const guesses = await Promise.all(Array.from({ length: 8 }, () => guess('victim')));
    expect(guesses.filter((answer) => answer.status === 401)).toHaveLength(3);
    const refused = await guess('victim', 'correct horse');
    expect(codeOf(refused)).toBe('RATE_LIMITED');
    expect(refused.error?.message).toBe('Rate limited - too many requests');
    expect(Number(refused.headers['retry-after'])).toBe(60);
    expect(codeOf(await guess('VICTIM'))).toBe('RATE_LIMITED');
    // Ten times the failures of one name are allowed to an address: those refused here must not use them up.
    for (let count = 0; count < 30; count++) await guess('victim');
    expect(codeOf(await guess('somebody else'))).toBe('CREDENTIALS_INVALID');
    pass(60_000);
    expect((await guess('victim', 'correct horse')).status).toBe(200);
  });

  test('signing in rightly is never limited', async () => {
    await limited.call('register', { body: credentials('regular') });
    for (let count = 0; count < 6; count++) {
      expect((await limited.call('login', { body: credentials('regular') })).status).toBe(200);
    }
  });
});

describe('registration', () => {
  test('closed: nobody', async () => {
    const closed = await startTestServer({ env: { KERVAN_REGISTRATION: 'closed' }, isWorking: false });
    expect(codeOf(await closed.call('register', { body: credentials('late') }))).toBe('REGISTRATION_CLOSED');
  });

  test('first: one account, even when several are asked for at once', async () => {
    const first = await startTestServer({ env: { KERVAN_REGISTRATION: 'first' }, isWorking: false });
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => first.call('register', { body: credentials(name) })),
    );
    expect(statusesOf(answers)).toEqual([200, 403, 403]);
  });
});
