import { sql } from 'kysely';
import type { Database, Queryable } from '@kervan/database';

// The lock between the switch and the statements that commit an attempt lives in the database, in the functions
// set_halted and signing_allowed: see the first migration.

/**
 * Sets the switch for the whole installation; it stays so over restarts. When this returns, no attempt that saw the
 * old state can be committed any more.
 */
export async function setHalted(db: Database, halted: boolean): Promise<void> {
  await sql`select set_halted(${halted})`.execute(db);
}

/** The switch at this moment. */
export async function isHalted(db: Queryable): Promise<boolean> {
  const { halted } = await db.selectFrom('instance').select('halted').executeTakeFirstOrThrow();
  return halted;
}
