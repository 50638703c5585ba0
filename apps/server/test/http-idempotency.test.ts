import { API_BASE, type Route } from '@kervan/contract';
import { connect, migrate, type Database } from '@kervan/database';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { addAuthentication } from '../src/http/authenticate.ts';
import { createHttpServer } from '../src/http/create-http-server.ts';
import { addIdempotency } from '../src/http/idempotency.ts';
import { register } from '../src/http/register.ts';
import { uuidv7 } from '../src/lib/ids.ts';
import { createDatabase } from './harness.ts';

const route = {
  method: 'POST',
  path: '/things/:id',
  auth: true,
  tag: 'Test',
  summary: 'Makes a thing',
  params: z.strictObject({ id: z.string() }),
  body: z.strictObject({ size: z.number() }),
  data: z.strictObject({ number: z.number(), key: z.string().optional() }),
  isIdempotent: true,
} as const satisfies Route;

let db: Database;
let app: FastifyInstance;
let made = 0;
let beforeAnswer: () => Promise<void> = () => Promise.resolve();
const users = [uuidv7(), uuidv7()];

async function startApp(): Promise<FastifyInstance> {
  const server = await createHttpServer({
    log: pino({ level: 'silent' }),
    isHostAllowed: () => true,
    onRequestEnded: () => {},
  });
  addAuthentication(server, (token) =>
    Promise.resolve({ id: users[Number(token)] ?? '', username: token, sessionId: token }),
  );
  addIdempotency(server, db);
  register(server, route, async ({ idempotencyKey }) => {
    made += 1;
    const number = made;
    await beforeAnswer();
    return { number, key: idempotencyKey };
  });
  await server.ready();
  return server;
}

beforeAll(async () => {
  db = connect(await createDatabase());
  await migrate(db);
  for (const id of users) {
    const name = { username: id, username_key: id };
    await db
      .insertInto('users')
      .values({ id, ...name, password_hash: '' })
      .execute();
  }
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  await db.destroy();
});
beforeEach(() => {
  made = 0;
  beforeAnswer = () => Promise.resolve();
});

interface Wish {
  key?: string;
  user?: number;
  id?: string;
  size?: number;
}

async function make({ key, user = 0, id = 'a', size = 1 }: Wish, on = app) {
  const response = await on.inject({
    method: 'POST',
    url: `${API_BASE}/things/${id}`,
    headers: {
      authorization: `Bearer ${user}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    payload: { size },
  });
  const answer = response.json<{ data: { number: number } | null }>();
  return { status: response.statusCode, answer, text: response.body };
}

test('without a key each request is its own', async () => {
  await make({});
  expect((await make({})).answer.data?.number).toBe(2);
});

test('the same request with the same key gets the first answer, also from another process', async () => {
  const first = await make({ key: 'k1' });
  // Letter for letter, the order of the fields included.
  expect(first.text).toContain('"data":{"number":1,"key":"k1"}');
  expect(await make({ key: 'k1' })).toEqual(first);
  const other = await startApp();
  expect(await make({ key: 'k1' }, other)).toEqual(first);
  await other.close();
  expect(made).toBe(1);
});

test('another body, another address or another route with that key is refused', async () => {
  await make({ key: 'k2' });
  expect((await make({ key: 'k2', size: 2 })).status).toBe(422);
  expect((await make({ key: 'k2', id: 'b' })).status).toBe(422);
  expect(made).toBe(1);
});

test('users don’t share keys', async () => {
  await make({ key: 'k3' });
  expect((await make({ key: 'k3', user: 1, size: 9 })).status).toBe(200);
  expect(made).toBe(2);
});

test('requests that come together are one', async () => {
  const gate = Promise.withResolvers<void>();
  beforeAnswer = () => gate.promise;
  const all = [make({ key: 'k4' }), make({ key: 'k4' }), make({ key: 'k4', size: 2 }), make({ key: 'k4' })];
  expect((await all[2])?.status).toBe(422);
  gate.resolve();
  const [first, second, , last] = await Promise.all(all);
  expect(second).toEqual(first);
  expect(last).toEqual(first);
  expect(made).toBe(1);
});

test('a refusal is not kept: nothing happened, so it may be asked again', async () => {
  beforeAnswer = () => Promise.reject(new Error('the database went away'));
  expect((await make({ key: 'k5' })).status).toBe(500);
  beforeAnswer = () => Promise.resolve();
  expect((await make({ key: 'k5' })).status).toBe(200);
});

test.each(['', 'with space', 'ü', 'x'.repeat(201)])('the key %j is refused', async (key) => {
  expect((await make({ key })).status).toBe(400);
  expect(made).toBe(0);
});
