import { connect as connectSocket } from 'node:net';
import { once } from 'node:events';
import { API_BASE, ERRORS, failureSchema, MAX_BODY_BYTES, routes, type Route } from '@kervan/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, startTestServer, type TestServer, type TestUser } from './harness.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  user = await server.registerUser();
});
afterAll(() => server.stop());

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
async function send(method: Method, url: string, payload?: string, headers: Record<string, string> = {}) {
  const response = await server.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${user.token}`, ...headers },
    ...(payload !== undefined && { payload }),
  });
  const { error } = failureSchema.parse(response.json());
  return { status: response.statusCode, code: error.code, error, headers: response.headers };
}
const json = { 'content-type': 'application/json' };

describe('every refusal is an envelope', () => {
  test.each<[string, Method, string, string | undefined, Record<string, string>, keyof typeof ERRORS]>([
    ['unknown address', 'GET', '/api/v1/nowhere', undefined, {}, 'ROUTE_NOT_FOUND'],
    ['address outside the API', 'GET', '/x?y=1', undefined, {}, 'ROUTE_NOT_FOUND'],
    ['unknown method', 'DELETE', '/api/v1/settings', undefined, {}, 'METHOD_NOT_ALLOWED'],
    ['unusual method', 'PATCH', '/api/v1/bots/1?x=1', undefined, {}, 'METHOD_NOT_ALLOWED'],
    ['address that is no URL', 'GET', '/api/v1/%zz', undefined, {}, 'REQUEST_INVALID'],
    ['broken JSON', 'PUT', '/api/v1/settings', '{', json, 'BODY_INVALID'],
    ['poisoned JSON', 'PUT', '/api/v1/settings', '{"__proto__":{}}', json, 'BODY_INVALID'],
    ['no body', 'PUT', '/api/v1/settings', undefined, {}, 'VALIDATION_FAILED'],
    ['empty body', 'PUT', '/api/v1/settings', '', json, 'VALIDATION_FAILED'],
    [
      'a form',
      'PUT',
      '/api/v1/settings',
      'a=1',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'MEDIA_TYPE_UNSUPPORTED',
    ],
    [
      'plain text',
      'PUT',
      '/api/v1/settings',
      '{}',
      { 'content-type': 'text/plain' },
      'MEDIA_TYPE_UNSUPPORTED',
    ],
    ['no media type', 'PUT', '/api/v1/settings', '{}', {}, 'MEDIA_TYPE_UNSUPPORTED'],
    [
      'nonsense as media type',
      'PUT',
      '/api/v1/settings',
      '{}',
      { 'content-type': '/' },
      'MEDIA_TYPE_UNSUPPORTED',
    ],
    ['a large body', 'PUT', '/api/v1/settings', `"${'x'.repeat(MAX_BODY_BYTES)}"`, json, 'BODY_TOO_LARGE'],
    ['unknown query field', 'GET', '/api/v1/settings?x=1', undefined, {}, 'VALIDATION_FAILED'],
    ['unknown body field', 'PUT', '/api/v1/settings', '{"x":1}', json, 'VALIDATION_FAILED'],
    ['a body where none belongs', 'POST', '/api/v1/auth/refresh', '{"x":1}', json, 'VALIDATION_FAILED'],
    ['an id that is none', 'GET', '/api/v1/bots/1', undefined, {}, 'VALIDATION_FAILED'],
  ])('%s', async (_what, method, url, payload, headers, code) => {
    const answer = await send(method, url, payload, headers);
    expect(answer.code).toBe(code);
    expect(answer.status).toBe(ERRORS[code].status);
  });

  test('the field that is wrong is named', async () => {
    const answer = await send(
      'PUT',
      `${API_BASE}/settings`,
      '{"solana":{"limits":{"maxNativePerTrade":"1"}}}',
      json,
    );
    expect(answer.error.context).toMatchObject({ field: 'solana.limits.maxNativePerTrade' });
    const unknown = await send('PUT', `${API_BASE}/settings`, '{"solana":{"colour":1}}', json);
    expect(unknown.error.context).toEqual({ field: 'solana.colour', issue: 'unknown_field' });
  });

  test('405 says which methods there are', async () => {
    const { headers } = await send('DELETE', '/api/v1/settings');
    expect(headers['allow']).toBe('GET, PUT');
  });

  test('bytes that are not HTTP are answered too', async () => {
    const { port } = new URL(await server.listen());
    const socket = connectSocket(Number(port), '127.0.0.1');
    socket.write('GARBAGE\r\n\r\n');
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    await once(socket, 'close');
    expect(failureSchema.parse(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).error.code).toBe(
      'REQUEST_INVALID',
    );
  });
});

test('every route of the contract is served', () => {
  for (const { method, path } of Object.values<Route>(routes)) {
    expect(server.app.hasRoute({ method, url: API_BASE + path })).toBe(true);
  }
});

test('every route of users refuses strangers before it looks at what they sent', async () => {
  for (const route of Object.values<Route>(routes).filter(({ auth }) => auth)) {
    const response = await server.app.inject({
      method: route.method,
      url: API_BASE + route.path.replaceAll(/:\w+/g, 'x'),
      headers: json,
      ...(route.method !== 'GET' && { payload: '{' }),
    });
    expect([route.path, response.statusCode]).toEqual([route.path, 401]);
  }
});

test('the body of a DELETE is ignored', async () => {
  const id = '01a1fb91-f04e-7e0b-bc41-ca7588f0ac45';
  const response = await server.app.inject({
    method: 'DELETE',
    url: `${API_BASE}/wallets/${id}`,
    headers: { authorization: `Bearer ${user.token}`, ...json },
    payload: '{',
  });
  expect(response.json()).toMatchObject({ error: { code: 'WALLET_NOT_FOUND' } });
});

describe('the Host header', () => {
  test.each(['rebound.example', 'rebound.example:3001', '192.168.1.4'])(
    'of another name (%s) is refused on every address, before anything else is looked at',
    async (host) => {
      const addresses = ['/metrics', '/docs/json', '/nowhere', `${API_BASE}/health`, `${API_BASE}/settings`];
      for (const url of addresses) {
        const answer = await send('GET', url, undefined, { host });
        expect([url, answer.status, answer.code]).toEqual([url, 421, 'HOST_NOT_ALLOWED']);
      }
      const login = await send('POST', `${API_BASE}/auth/login`, '{', { ...json, host });
      expect(login.code).toBe('HOST_NOT_ALLOWED');
    },
  );

  test('of this machine, or of KERVAN_HOSTS, is answered', async () => {
    const proxied = await startTestServer({
      isWorking: false,
      env: { KERVAN_HOSTS: 'kervan.example', KERVAN_REGISTRATION: 'closed' },
    });
    for (const host of ['localhost:3001', '127.0.0.1', '[::1]:3001', 'kervan.example']) {
      expect((await proxied.call('health', { headers: { host } })).status).toBe(200);
    }
    expect((await proxied.call('health', { headers: { host: 'other.example' } })).status).toBe(421);
  });
});

test('messages are in the language that the caller prefers', async () => {
  const messageIn = async (language: string) =>
    (await server.call('refresh', { headers: { 'accept-language': language } })).error?.message;
  expect(await messageIn('tr-TR,tr;q=0.9,en;q=0.8')).toBe(ERRORS.REFRESH_INVALID.tr);
  expect(await messageIn('de, en;q=0.5, tr;q=0.7')).toBe(ERRORS.REFRESH_INVALID.tr);
  expect(await messageIn('de')).toBe(ERRORS.REFRESH_INVALID.en);
  const answer = await user.call('getBot', { params: { id: '1' }, headers: { 'accept-language': 'tr' } });
  expect(answer.error?.message).toBe('id alanı geçersiz: biçimi doğru değil');
});

test('the request id is the caller’s where it is harmless, and stands in answer, header and log', async () => {
  const answer = await server.call('refresh', { headers: { 'x-request-id': 'my-request_1' } });
  expect(answer.error?.requestId).toBe('my-request_1');
  expect(answer.headers['x-request-id']).toBe('my-request_1');
  expect(server.logged()).toContain('my-request_1');
  const odd = await server.call('refresh', { headers: { 'x-request-id': 'a b"\u001b[31m' } });
  expect(odd.error?.requestId).toMatch(/^[\da-f-]{36}$/);
});

test('answers allow no other source than the server itself', async () => {
  const { headers } = await server.call('health');
  expect(headers['content-security-policy']).toBe(
    "default-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';object-src 'none';img-src 'self' data:",
  );
  expect(headers['cache-control']).toBe('no-store');
});

interface Operation {
  responses: object;
  requestBody?: object;
  parameters?: { name: string; in: string; required: boolean; description?: string }[];
}

test('the OpenAPI document describes every route', async () => {
  const document = (await server.app.inject('/docs/json')).json<{
    openapi: string;
    info: { title: string };
    paths: Record<string, Record<string, Operation>>;
  }>();
  expect([document.openapi, document.info.title]).toEqual(['3.1.0', 'Kervan API']);
  for (const { method, path, body, isIdempotent } of Object.values<Route>(routes)) {
    const operation = document.paths[API_BASE + path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    expect(Object.keys(operation?.responses ?? {})).toContain('200');
    expect([path, operation?.requestBody !== undefined]).toEqual([path, body !== undefined]);
    const keys = operation?.parameters?.filter(({ name }) => name === 'idempotency-key') ?? [];
    const places = keys.map((key) => [key.in, key.required, key.description?.includes('same key')]);
    expect([path, places]).toEqual([path, isIdempotent ? [['header', false, true]] : []]);
  }
});

test('a user has a ceiling of requests, which others do not share', async () => {
  const small = await startTestServer({ requestsPerMinute: 5, isWorking: false });
  const [first, second] = [await small.registerUser(), await small.registerUser()];
  const answers = await Promise.all(Array.from({ length: 7 }, () => first.call('getSettings')));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
  const [refused] = answers.filter((answer) => answer.status !== 200);
  expect(refused && codeOf(refused)).toBe('RATE_LIMITED');
  expect((await second.call('getSettings')).status).toBe(200);
});

test.each([
  ['an unknown address', '/nowhere', 404],
  ['a route without a valid token', `${API_BASE}/settings`, 401],
])('a loop on %s meets a ceiling too', async (_what, url, status) => {
  const small = await startTestServer({ requestsPerMinute: 1, isWorking: false });
  const statuses = [];
  for (let count = 0; count < 12; count++) statuses.push((await small.app.inject(url)).statusCode);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => status), 429, 429]);
});

test('passwords, tokens and keys appear in no log line', async () => {
  const secret = 'a-very-secret-value';
  const body = { username: 'logged', password: secret };
  const { data, response } = await server.call('register', { body });
  await server.call('login', { body: { ...body, password: `${secret}-wrong` } });
  await server.call('login', { body: { ...body, [secret]: secret } as typeof body });
  await user.call('createBscWallet', { body: { name: 'w', privateKeyHex: secret } });
  await server.app.inject({
    method: 'POST',
    url: `${API_BASE}/auth/login?password=${secret}`,
    payload: `{${secret}`,
    headers: json,
  });
  await server.app.inject({ url: '/x', headers: { authorization: `Bearer ${secret}`, cookie: secret } });
  // Pasted into the address.
  for (const url of [
    `/${secret}`,
    `${API_BASE}/wallets/${secret}`,
    `${API_BASE}/tokens/${secret}`,
    `/%zz${secret}`,
  ]) {
    await send('GET', url);
  }
  expect(server.logged()).toContain('"route":"/api/v1/auth/login"');
  expect(server.logged()).toContain('"route":"/api/v1/wallets/:id"');
  expect(server.logged()).toContain('"route":"none"');
  expect(server.logged()).not.toContain(secret);
  expect(server.logged()).not.toContain(data.access_token);
  expect(server.logged()).not.toContain(response.cookies[0]?.value);
});
