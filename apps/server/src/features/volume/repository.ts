import type { Chain } from '@kervan/contract';
import type { Queryable, Schema, VolumeSessionRow, VolumeWalletRow, WalletRow } from '@kervan/database';
import { sql, type Insertable, type Updateable } from 'kysely';

export type NewSession = Insertable<Schema['volume_sessions']>;
export type NewSessionWallet = Insertable<Schema['volume_wallets']>;
export type SessionChange = Updateable<Schema['volume_sessions']>;
export type SessionWalletChange = Updateable<Schema['volume_wallets']>;

export interface SessionWithWallets {
  readonly session: VolumeSessionRow;
  /** By their number. */
  readonly wallets: readonly VolumeWalletRow[];
}

export interface OwnedSession {
  readonly userId: string;
  readonly chain: Chain;
  readonly sessionId: string;
}

/** The user's session that has not ended; there is one a chain at most. */
export async function findCurrentSession(
  db: Queryable,
  userId: string,
  chain: Chain,
): Promise<VolumeSessionRow | undefined> {
  return await db
    .selectFrom('volume_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('chain', '=', chain)
    .where('state', '<>', 'ended')
    .executeTakeFirst();
}

export async function findSession(
  db: Queryable,
  { userId, chain, sessionId }: OwnedSession,
): Promise<VolumeSessionRow | undefined> {
  return await db
    .selectFrom('volume_sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('chain', '=', chain)
    .executeTakeFirst();
}

export async function findSessionByKey(
  db: Queryable,
  userId: string,
  idempotencyKey: string,
): Promise<VolumeSessionRow | undefined> {
  return await db
    .selectFrom('volume_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
}

/** Newest first. */
export async function pageOfSessions(
  db: Queryable,
  { userId, chain, page, limit }: { userId: string; chain: Chain; page: number; limit: number },
): Promise<{ rows: VolumeSessionRow[]; total: number }> {
  const sessions = db.selectFrom('volume_sessions').where('user_id', '=', userId).where('chain', '=', chain);
  const [rows, { total }] = await Promise.all([
    sessions
      .selectAll()
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    sessions.select(({ fn }) => fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(total) };
}

/** The session, nobody else's to change until the transaction ends. */
export async function lockSession(trx: Queryable, sessionId: string): Promise<VolumeSessionRow> {
  return await trx
    .selectFrom('volume_sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** By session and number. */
export async function walletsOf(db: Queryable, sessionIds: readonly string[]): Promise<VolumeWalletRow[]> {
  return await db
    .selectFrom('volume_wallets')
    .selectAll()
    .where('session_id', '=', sql<string>`any(${sessionIds}::uuid[])`)
    .orderBy('session_id')
    .orderBy('number')
    .execute();
}

/** Of what a user begins on their chains, one waits for the other until the transaction ends. */
export async function lockUser(trx: Queryable, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

export async function findSessionWithWallets(
  db: Queryable,
  sessionId: string,
): Promise<SessionWithWallets | undefined> {
  const session = await db
    .selectFrom('volume_sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return session && { session, wallets: await walletsOf(db, [sessionId]) };
}

/** Sessions that have something to do. */
export async function findDueSessions(db: Queryable, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('volume_sessions')
    .select('id')
    .where('state', '<>', 'ended')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .execute();
  return rows.map((row) => row.id);
}

/** Undefined if the user has another session on the chain, or one by the same key. */
export async function insertSession(
  trx: Queryable,
  session: NewSession,
): Promise<VolumeSessionRow | undefined> {
  return await trx
    .insertInto('volume_sessions')
    .values(session)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function updateSession(
  trx: Queryable,
  session: VolumeSessionRow,
  change: SessionChange,
): Promise<VolumeSessionRow> {
  if (Object.keys(change).length === 0) return session;
  return await trx
    .updateTable('volume_sessions')
    .set(change)
    .where('id', '=', session.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateWallet(
  trx: Queryable,
  walletId: string,
  change: SessionWalletChange,
): Promise<void> {
  await trx.updateTable('volume_wallets').set(change).where('wallet_id', '=', walletId).execute();
}

/** Sets what is not empty yet to draining, from the first stage on. */
export async function drainWallets(trx: Queryable, sessionId: string): Promise<void> {
  await trx
    .updateTable('volume_wallets')
    .set({
      status: 'draining',
      drain_stage: 'sell',
      drain_tries: 0,
      lags_since: null,
      problem_code: null,
      problem_context: null,
    })
    .where('session_id', '=', sessionId)
    .execute();
}

/** Removes the key that was pasted for a session. */
export async function forgetWallet(trx: Queryable, walletId: string): Promise<void> {
  await trx
    .updateTable('wallets')
    .set({ deleted_at: new Date(), sealed_key: null, wrapped_data_key: null })
    .where('id', '=', walletId)
    .where('is_of_session', '=', true)
    .execute();
}

export type Master = Pick<WalletRow, 'id' | 'name' | 'address'>;

/** The wallet, if it is the user's on this chain; with `isHeld` not to be deleted until the transaction ends. */
export async function findMaster(
  db: Queryable,
  { userId, chain, walletId }: { userId: string; chain: Chain; walletId: string },
  { isHeld }: { isHeld: boolean },
): Promise<Master | undefined> {
  const found = db
    .selectFrom('wallets')
    .select(['id', 'name', 'address'])
    .where('id', '=', walletId)
    .where('user_id', '=', userId)
    .where('chain', '=', chain)
    .where('deleted_at', 'is', null)
    .where('is_of_session', '=', false);
  return await (isHeld ? found.forKeyShare() : found).executeTakeFirst();
}

export async function insertSessionKeys(
  trx: Queryable,
  wallets: readonly Insertable<Schema['wallets']>[],
): Promise<void> {
  await trx.insertInto('wallets').values(wallets).execute();
}

export async function insertSessionWallets(
  trx: Queryable,
  wallets: readonly NewSessionWallet[],
): Promise<void> {
  await trx.insertInto('volume_wallets').values(wallets).execute();
}

/** The wallet that waits for the trade. */
export async function findWaitingWallet(
  trx: Queryable,
  tradeId: string,
): Promise<VolumeWalletRow | undefined> {
  return await trx
    .selectFrom('volume_wallets')
    .selectAll()
    .where('trade_id', '=', tradeId)
    .executeTakeFirst();
}
