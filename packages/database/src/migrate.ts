import { Migrator } from 'kysely/migration';
import type { Database } from './connect.ts';
import { up as groundFloor } from './migrations/0001-ground-floor.ts';
import { up as fastSwap } from './migrations/0002-fast-swap.ts';
import { up as transfers } from './migrations/0003-transfers.ts';
import { up as volumeSessions } from './migrations/0004-volume-sessions.ts';
import { up as records } from './migrations/0005-records.ts';
import { up as settingsData } from './migrations/0006-settings-data.ts';

/** In order; a migration that has been released is never changed. */
const migrations = {
  '0001-ground-floor': { up: groundFloor },
  '0002-fast-swap': { up: fastSwap },
  '0003-transfers': { up: transfers },
  '0004-volume-sessions': { up: volumeSessions },
  '0005-records': { up: records },
  '0006-settings-data': { up: settingsData },
};

/** Brings the schema up to date. Processes that start together wait for each other: Kysely takes a lock. */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error('the database could not be brought up to date', { cause: error });
}
