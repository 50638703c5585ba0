import type { Page } from '@kervan/contract';
import { sql, type Transaction } from 'kysely';
import type { Database, Queryable, Schema } from '@kervan/database';

export type AuthRepository = ReturnType<typeof createAuthRepository>;

/** Held while an account is made where only the first may be, so that two cannot both be it. */
const FIRST_ACCOUNT_LOCK = 7_710_002n;

export function createAuthRepository(db: Database) {
  return {
    transaction<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
      return db.transaction().execute(work);
    },

    findUser(usernameKey: string) {
      return db
        .selectFrom('users')
        .select(['id', 'username', 'password_hash'])
        .where('username_key', '=', usernameKey)
        .executeTakeFirst();
    },

    async lockFirstAccount(trx: Transaction<Schema>): Promise<void> {
      await sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`.execute(trx);
    },

    async hasUsers(trx: Queryable): Promise<boolean> {
      return (await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
    },

    /** False when the username is taken. */
    async insertUser(
      trx: Transaction<Schema>,
      user: { id: string; username: string; username_key: string; password_hash: string },
    ): Promise<boolean> {
      const inserted = await trx
        .insertInto('users')
        .values(user)
        .onConflict((conflict) => conflict.column('username_key').doNothing())
        .returning('id')
        .executeTakeFirst();
      return inserted !== undefined;
    },

    async insertSession(
      trx: Transaction<Schema>,
      session: {
        id: string;
        user_id: string;
        created_at: Date;
        last_used_at: Date;
        expires_at: Date;
        user_agent: string | null;
      },
    ): Promise<void> {
      await trx.insertInto('sessions').values(session).execute();
    },

    async insertRefreshToken(
      trx: Transaction<Schema>,
      token: { token_hash: Buffer; session_id: string; parent_hash: Buffer | null; created_at: Date },
    ): Promise<void> {
      await trx.insertInto('refresh_tokens').values(token).execute();
    },

    /** The session with its user, when it can still be used. */
    findLiveSession(sessionId: string, now: Date) {
      return db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['sessions.id as sessionId', 'users.id as userId', 'users.username'])
        .where('sessions.id', '=', sessionId)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst();
    },

    /** The refresh token with its session and user, the session locked against another exchange. */
    async lockRefreshToken(trx: Transaction<Schema>, tokenHash: Buffer) {
      return await trx
        .selectFrom('refresh_tokens')
        .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select([
          'refresh_tokens.used_at',
          'refresh_tokens.parent_hash',
          'sessions.id as sessionId',
          'sessions.revoked_at',
          'sessions.expires_at',
          'users.id as userId',
          'users.username',
        ])
        .where('token_hash', '=', tokenHash)
        .forUpdate(['sessions', 'refresh_tokens'])
        .executeTakeFirst();
    },

    /** Whether a token that was given for the same one as this has been exchanged. */
    async hasUsedSibling(
      trx: Transaction<Schema>,
      token: { token_hash: Buffer; session_id: string; parent_hash: Buffer },
    ): Promise<boolean> {
      const sibling = await trx
        .selectFrom('refresh_tokens')
        .select('used_at')
        .where('session_id', '=', token.session_id)
        .where('parent_hash', '=', token.parent_hash)
        .where('token_hash', '!=', token.token_hash)
        .where('used_at', 'is not', null)
        .limit(1)
        .executeTakeFirst();
      return sibling !== undefined;
    },

    async useRefreshToken(trx: Transaction<Schema>, tokenHash: Buffer, now: Date): Promise<void> {
      await trx
        .updateTable('refresh_tokens')
        .set({ used_at: now })
        .where('token_hash', '=', tokenHash)
        .where('used_at', 'is', null)
        .execute();
    },

    async extendSession(
      trx: Transaction<Schema>,
      sessionId: string,
      { now, expiresAt }: { now: Date; expiresAt: Date },
    ): Promise<void> {
      await trx
        .updateTable('sessions')
        .set({ last_used_at: now, expires_at: expiresAt })
        .where('id', '=', sessionId)
        .execute();
    },

    /** A page of the user's sessions that can still be used, the newest first. */
    async pageOfSessions(userId: string, { page, limit }: Page, now: Date) {
      const live = db
        .selectFrom('sessions')
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now);
      const [sessions, { total }] = await Promise.all([
        live
          .select(['id', 'created_at', 'last_used_at', 'expires_at', 'user_agent'])
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .offset((page - 1) * limit)
          .execute(),
        live.select(({ fn }) => fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
      ]);
      return { sessions, total: Number(total) };
    },

    /** Ends one of the user's sessions, or all of them; answers which were ended. */
    async revokeSessionsOf(userId: string, sessionId: string | undefined, now: Date): Promise<string[]> {
      let live = db
        .updateTable('sessions')
        .set({ revoked_at: now })
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now);
      if (sessionId !== undefined) live = live.where('id', '=', sessionId);
      const ended = await live.returning('id').execute();
      return ended.map(({ id }) => id);
    },

    async revokeSession(trx: Queryable, sessionId: string, now: Date): Promise<void> {
      await trx
        .updateTable('sessions')
        .set({ revoked_at: now })
        .where('id', '=', sessionId)
        .where('revoked_at', 'is', null)
        .execute();
    },

    async sessionOfRefreshToken(tokenHash: Buffer): Promise<string | undefined> {
      const found = await db
        .selectFrom('refresh_tokens')
        .select('session_id')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return found?.session_id;
    },

    /** Forgets sessions that ended long ago, with their tokens. */
    async pruneSessions(endedBefore: Date): Promise<void> {
      await db.deleteFrom('sessions').where('expires_at', '<', endedBefore).execute();
      await db.deleteFrom('sessions').where('revoked_at', '<', endedBefore).execute();
    },
  };
}
