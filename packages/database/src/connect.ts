import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { PreparingClient } from './preparing-client.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;
/** A database or an open transaction: what a query that doesn't care takes. */
export type Queryable = Kysely<Schema> | Transaction<Schema>;

export type PoolCounters = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

const { INT8, NUMERIC } = pg.types.builtins;

// Every int8 and numeric column of ours is a whole number (base units, nonces, counters): exact as bigint only.
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === INT8 || oid === NUMERIC) return BigInt;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * Opens a pool. A lost connection surfaces as the error of the query that met it; `onIdleError` hears of those
 * that broke while unused, which needs no more than a log line.
 */
export function connect(
  url: string,
  options: {
    max?: number;
    onIdleError?: (error: Error) => void;
    /** Told once of the pool's counters, for the figures. */
    onOpen?: (pool: PoolCounters) => void;
  } = {},
): Database {
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: url,
    max: options.max ?? 10,
    types,
    connectionTimeoutMillis: 5_000,
    application_name: 'kervan',
  });
  options.onOpen?.(pool);
  pool.on('error', (error) => options.onIdleError?.(error));
  // The pool listens only while a client is idle; unheard on a busy one, the event would end the process. The
  // query that is under way reports the same error.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}
