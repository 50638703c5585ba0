import { sql, type Transaction } from 'kysely';
import type { Database, Queryable, Schema } from '@kervan/database';

/**
 * Advisory lock between the halt switch and the transactions that commit an attempt: those hold it shared, the
 * switch takes it exclusively. So when `setHalted` returns, no transaction that saw the old state can commit.
 */
export const HALT_LOCK = 7_710_001n;

/** Sets the switch for the whole installation; it stays so over restarts. */
export async function setHalted(db: Database, halted: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${HALT_LOCK})`.execute(trx);
    await trx.updateTable('instance').set({ halted, halted_changed_at: new Date() }).execute();
  });
}

/** From here to the end of the transaction, what `isHalted` says stays so. A statement of its own: one that also
 * read the switch would read from a snapshot older than the lock it waited for. */
export async function takeSigningLock(trx: Transaction<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${HALT_LOCK})`.execute(trx);
}

/** The switch at this moment. */
export async function isHalted(db: Queryable): Promise<boolean> {
  const { halted } = await db.selectFrom('instance').select('halted').executeTakeFirstOrThrow();
  return halted;
}
