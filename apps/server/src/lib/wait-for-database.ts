import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@kervan/database';
import { sql } from 'kysely';
import { isDatabaseAway } from '../http/database-away.ts';

const WAIT_MS = 15_000;
const RETRY_MS = 100;

/** Resolves when PostgreSQL answers; one that starts beside this process needs a moment. Rejects after 15 s. */
export async function waitForDatabase(db: Database): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      await sql`select 1`.execute(db);
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > deadline) throw error;
      await delay(RETRY_MS);
    }
  }
}
