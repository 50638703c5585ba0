import type { Database } from '@kervan/database';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';

const HOUR_MS = 3_600_000;
/** A request is hardly repeated after a week; what it created stays known by its own key. */
const REQUESTS_KEPT_MS = 7 * 24 * HOUR_MS;

interface Dependencies {
  db: Database;
  auth: { pruneSessions(): Promise<void> };
  clock: Clock;
  logger: Logger;
}

/** Forgets, once an hour, what is of no more use: sessions long over, answers to old idempotent requests. */
export function createHousekeeping({ db, auth, clock, logger }: Dependencies) {
  let timer: NodeJS.Timeout | undefined;

  async function tidy(): Promise<void> {
    await auth.pruneSessions();
    const before = new Date(clock().getTime() - REQUESTS_KEPT_MS);
    await db.deleteFrom('idempotent_requests').where('created_at', '<', before).execute();
  }

  function run(): void {
    tidy().catch((error: unknown) => logger.warn({ err: error }, 'housekeeping was put off'));
  }

  return {
    start(): void {
      run();
      timer = setInterval(run, HOUR_MS);
    },
    stop(): void {
      clearInterval(timer);
    },
  };
}
