import type { Database } from '@kervan/database';
import type { Logger } from 'pino';
import { foldLedger } from './fold-ledger.ts';

/** Often enough that the tail stays within two blocks at 200 trades a second. */
const EVERY_MS = 15_000;

interface Dependencies {
  readonly db: Database;
  readonly logger: Logger;
}

/** Folds the ledger from time to time. Several processes may: one of them does a user's part. */
export function createLedgerFolder({ db, logger }: Dependencies) {
  let timer: NodeJS.Timeout | undefined;
  let folding: Promise<void> | undefined;

  function run(): void {
    folding ??= foldLedger(db)
      .catch((error: unknown) => logger.warn({ err: error }, 'folding the ledger was put off'))
      .finally(() => (folding = undefined));
  }

  return {
    start(): void {
      run();
      timer = setInterval(run, EVERY_MS);
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await folding;
    },
  };
}
