import {
  connect,
  findEmbeddedPostgres,
  migrate,
  startEmbeddedPostgres,
  type Database,
} from '@kervan/database';
import { waitForDatabase } from './wait-for-database.ts';

export interface OpenedDatabase {
  db: Database;
  url: string;
  close(): Promise<void>;
}

/**
 * The installation's database, for a command beside the server or while it is stopped: the one in DATABASE_URL,
 * the embedded one that is running, or the embedded one started for this.
 */
export async function openDatabase(
  dataDir: string,
  databaseUrl: string | undefined,
): Promise<OpenedDatabase> {
  const running = databaseUrl ?? findEmbeddedPostgres(dataDir);
  const started = running === undefined ? await startEmbeddedPostgres({ dataDir }) : undefined;
  const url = running ?? started?.url ?? '';
  const db = connect(url, { max: 2 });
  const close = async () => {
    await db.destroy();
    await started?.stop();
  };
  try {
    await waitForDatabase(db);
    await migrate(db);
  } catch (error) {
    await close();
    throw error;
  }
  return { db, url, close };
}
