export { startEmbeddedPostgres } from './embedded/start-embedded-postgres.ts';
export type { EmbeddedPostgres, PostgresExit } from './embedded/start-embedded-postgres.ts';
export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './embedded/errors.ts';
export { findEmbeddedPostgres } from './embedded/find-embedded-postgres.ts';
export { findFreePort } from './embedded/free-port.ts';
export {
  acquireProcessLock,
  processBirth,
  ProcessLockHeldError,
  type ProcessLock,
} from './embedded/process-lock.ts';
export { connect, type Database, type Queryable } from './connect.ts';
export { migrate } from './migrate.ts';
export type * from './schema.ts';
