import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { KervanError } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { z } from 'zod';

declare module 'fastify' {
  interface FastifyContextConfig {
    isIdempotent?: boolean;
  }
  interface FastifyInstance {
    answerOnce: (request: FastifyRequest, key: string, answer: () => Promise<unknown>) => Promise<unknown>;
  }
}

const keySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .optional()
  .describe(
    'The same key and request get the first answer again; the same key with another request is refused.',
  );

/** For the documentation of idempotent routes. */
export const idempotencyHeaders = z.object({ 'idempotency-key': keySchema });

/** The caller's Idempotency-Key, or undefined. Throws IDEMPOTENCY_KEY_INVALID. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = keySchema.safeParse(request.headers['idempotency-key']);
  if (key.success) return key.data;
  throw new KervanError('IDEMPOTENCY_KEY_INVALID');
}

/**
 * Gives `app.answerOnce`: the same user, key and request get the first answer again, another request with that
 * key is refused with IDEMPOTENCY_KEY_REUSED. Requests that come together in this process wait for the first.
 *
 * That something happens once does not rest on this table but on the handler, which derives the key of what it
 * creates from the same Idempotency-Key: an answer lost before it was stored, or asked for in two processes at
 * once, is made again from the same trade. Refusals are not stored: nothing happened, so asking again is safe.
 */
export function addIdempotency(app: FastifyInstance, db: Database): void {
  const running = new Map<string, { hash: Buffer; answer: Promise<unknown> }>();

  async function answerOnce(request: FastifyRequest, key: string, answer: () => Promise<unknown>) {
    if (request.user === undefined) throw new Error('idempotent routes need a signed-in user');
    const userId = request.user.id;
    const hash = hashOf(request);
    const slot = `${userId} ${key}`;
    const current = running.get(slot);
    if (current !== undefined) {
      if (!current.hash.equals(hash)) throw new KervanError('IDEMPOTENCY_KEY_REUSED');
      return current.answer;
    }
    const promise = findOrStore(userId, key, hash, answer);
    running.set(slot, { hash, answer: promise });
    try {
      return await promise;
    } finally {
      running.delete(slot);
    }
  }

  async function findOrStore(userId: string, key: string, hash: Buffer, answer: () => Promise<unknown>) {
    const found = await find(userId, key);
    if (found !== undefined) return sameRequest(found, hash);
    const made = await answer();
    await db
      .insertInto('idempotent_requests')
      .values({ user_id: userId, key, request_hash: hash, status: 200, answer: JSON.stringify(made) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const stored = await find(userId, key);
    return stored === undefined ? made : sameRequest(stored, hash);
  }

  function find(userId: string, key: string) {
    return db
      .selectFrom('idempotent_requests')
      .select(['request_hash', 'answer'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst();
  }

  app.decorate('answerOnce', answerOnce);
}

function sameRequest(stored: { request_hash: Buffer; answer: unknown }, hash: Buffer): unknown {
  if (!stored.request_hash.equals(hash)) throw new KervanError('IDEMPOTENCY_KEY_REUSED');
  return stored.answer;
}

function hashOf(request: FastifyRequest): Buffer {
  const { method, url } = request.routeOptions;
  const asked = JSON.stringify([method, url, request.params, request.query, request.body ?? null]);
  return createHash('sha256').update(asked).digest();
}
