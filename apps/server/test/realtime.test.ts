import { request } from 'node:http';
import type { ClientToServerEvents, ServerToClientEvents } from '@kervan/contract';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '../src/lib/ids.ts';
import { startTestServer, type TestServer, type TestUser } from './harness.ts';

type Client = Socket<ServerToClientEvents, ClientToServerEvents>;

let server: TestServer;
let address: string;
let ada: TestUser;
let bob: TestUser;
const clients: Client[] = [];
let now = () => new Date();

beforeAll(async () => {
  server = await startTestServer({ clock: () => now() });
  address = await server.listen();
  [ada, bob] = [await server.registerUser(), await server.registerUser()];
});
afterAll(() => server.stop());
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

function openSocket(token: unknown, transports = ['websocket'], at = address): Client {
  const client: Client = io(at, { auth: { token }, transports, reconnection: false, forceNew: true });
  clients.push(client);
  return client;
}

async function connected(user: TestUser, transports?: string[]): Promise<Client> {
  const client = openSocket(user.token, transports);
  await next(client, 'connect');
  return client;
}

interface Heard extends ServerToClientEvents {
  connect: (nothing?: undefined) => void;
  disconnect: (reason: string) => void;
  connect_error: (error: Error & { data?: unknown }) => void;
}

/** What the next such event brings. */
function next<E extends keyof Heard>(client: Client, event: E): Promise<Parameters<Heard[E]>[0]> {
  return new Promise((resolve) => {
    // Socket.IO's types can't tell which arguments an event has whose name is a parameter.
    const untyped: { once(event: string, listener: (payload: never) => void): unknown } = client;
    untyped.once(event, resolve);
  });
}

describe('signing in', () => {
  test.each([undefined, '', 'x', 7, { a: 1 }])('a socket with the token %j is refused', async (token) => {
    const error = await next(openSocket(token), 'connect_error');
    expect(error.data).toEqual({ code: 'AUTH_REQUIRED' });
  });

  test.each([
    ['polling', [403, 200], {}],
    ['websocket', [400, 101], { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }],
  ])('is refused under a strange host name, by %s', async (transport, [refused, welcome], headers) => {
    const statusUnder = (host: string) =>
      new Promise((resolve, reject) => {
        const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
        request(`${address}/socket.io/?EIO=4&transport=${transport}`, {
          headers: { ...headers, ...key, host },
        })
          .on('response', (response) => resolve(response.resume().statusCode))
          .on('upgrade', (response, socket) => resolve(socket.destroy() && response.statusCode))
          .on('error', reject)
          .end();
      });
    expect(await statusUnder('rebound.example')).toBe(refused);
    expect(await statusUnder('localhost')).toBe(welcome);
  });

  test('by polling as well as by websocket', async () => {
    const client = await connected(ada, ['polling']);
    server.services.realtime.emitToAll('halt:updated', { halted: false });
    expect(await next(client, 'halt:updated')).toEqual({ halted: false });
  });
});

test('a socket hears only its own user’s events', async () => {
  const [first, second, other] = [await connected(ada), await connected(ada), await connected(bob)];
  const heardByOther: string[] = [];
  other.onAny((event: string) => heardByOther.push(event));
  const event = { code: 'X', message: 'for ada' };
  const heard = [next(first, 'error'), next(second, 'error')];
  server.services.realtime.emit(ada.id, 'error', event);
  expect(await Promise.all(heard)).toEqual([event, event]);
  // Events keep their order: had the other's socket been sent the first, it would be here by now.
  const end = next(other, 'halt:updated');
  server.services.realtime.emitToAll('halt:updated', { halted: false });
  await end;
  expect(heardByOther).toEqual(['halt:updated']);
});

describe('commands', () => {
  test('on a bot that is not there, or another’s, answer with the event error', async () => {
    const client = await connected(ada);
    for (const command of ['bot:start', 'bot:stop'] as const) {
      const error = next(client, 'error');
      client.emit(command, { botId: uuidv7() });
      expect(await error).toMatchObject({ code: 'BOT_NOT_FOUND' });
    }
  });

  test.each([undefined, null, 'x', { botId: 'x' }, { botId: uuidv7(), more: 1 }, [[[]]]])(
    'with the payload %j are refused',
    async (payload) => {
      const client = await connected(ada);
      const error = next(client, 'error');
      client.emit('bot:start', payload as never);
      expect(await error).toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );

  test('a flood is cut, and the socket works on after it', async () => {
    const client = await connected(ada);
    const codes: string[] = [];
    const { promise: all, resolve } = Promise.withResolvers<void>();
    client.on('error', ({ code }) => {
      if (codes.push(code) === 200) resolve();
    });
    for (let count = 0; count < 200; count++) client.emit('bot:stop', { botId: uuidv7() });
    await all;
    expect(new Set(codes)).toEqual(new Set(['BOT_NOT_FOUND', 'RATE_LIMITED']));
    client.removeAllListeners('error');
    const error = next(client, 'error');
    client.emit('bot:stop', { botId: uuidv7() });
    expect(await error).toMatchObject({ code: 'BOT_NOT_FOUND' });
  });
});

describe('the end of a session ends its sockets', () => {
  test('when it is left', async () => {
    const leaver = await server.registerUser();
    const client = await connected(leaver);
    const end = next(client, 'disconnect');
    await leaver.call('logout');
    await end;
    const error = await next(openSocket(leaver.token), 'connect_error');
    expect(error.message).toBe('Sign in to go on.');
  });

  test('when the token expires', async () => {
    // A token made a little less than its life ago.
    now = () => new Date(Date.now() - 15 * 60_000 + 1500);
    const late = await server.registerUser();
    const client = await connected(late);
    now = () => new Date();
    const reason = await next(client, 'disconnect');
    // To the client a lost connection, after which it comes back by itself with a new token.
    expect(reason).toBe('transport close');
  });
});

test('the halt switch is told to everyone', async () => {
  const client = await connected(bob);
  const told = next(client, 'halt:updated');
  await ada.call('setHalt', { body: { halted: true } });
  expect(await told).toEqual({ halted: true });
  await ada.call('setHalt', { body: { halted: false } });
});

test('with several processes, a socket on one hears what happens in another', async () => {
  const env = { KERVAN_MASTER_KEY: '11'.repeat(32) };
  const api = await startTestServer({ env: { ...env, KERVAN_ROLE: 'api' } });
  const worker = await startTestServer({
    env: { ...env, KERVAN_ROLE: 'worker', DATABASE_URL: api.config.databaseUrl },
  });
  const user = await api.registerUser();
  const client = openSocket(user.token, ['websocket'], await api.listen());
  await next(client, 'connect');
  const heard: string[] = [];
  client.on('error', ({ code }) => heard.push(code));
  // The processes need a moment to find each other.
  await expect
    .poll(() => {
      worker.services.realtime.emit(user.id, 'error', { code: 'SMALL', message: '' });
      return heard;
    })
    .toContain('SMALL');
  const large = { code: 'LARGE', message: 'x'.repeat(20_000) };
  worker.services.realtime.emit(user.id, 'error', large);
  await expect.poll(() => heard).toContain('LARGE');
});
