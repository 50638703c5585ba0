/** What each code of the embedded database says, and what its context holds. */
interface EmbeddedPostgresContexts {
  POSTGRES_PLATFORM_UNSUPPORTED: { platform: string };
  POSTGRES_DATA_DIR_IN_USE: { dataDir: string; pid: number };
  POSTGRES_NO_SERVICE_USER: { tried: string };
  POSTGRES_WRONG_OWNER: { path: string; ownerUid: number; uid: number };
  POSTGRES_PASSWORD_MISSING: { path: string };
  POSTGRES_INIT_FAILED: { exit: string; output: string };
  POSTGRES_START_FAILED: { exit: string; logTail: string };
  POSTGRES_ORPHAN_SURVIVED: { pids: string };
}

export type EmbeddedPostgresErrorCode = keyof EmbeddedPostgresContexts;

const MESSAGES: Record<EmbeddedPostgresErrorCode, string> = {
  POSTGRES_PLATFORM_UNSUPPORTED:
    'No embedded Postgres is installed for this platform. Set DATABASE_URL to a PostgreSQL server, or install optional dependencies',
  POSTGRES_DATA_DIR_IN_USE: 'The data directory is in use by another running process',
  POSTGRES_NO_SERVICE_USER:
    'Postgres refuses to run as root and no unprivileged system user was found to run it as',
  POSTGRES_WRONG_OWNER: 'The database files belong to another user: start Kervan as that user',
  POSTGRES_PASSWORD_MISSING: 'The database exists but its password file is missing',
  POSTGRES_INIT_FAILED: 'Could not create the database',
  POSTGRES_START_FAILED: 'The database did not start',
  POSTGRES_ORPHAN_SURVIVED: 'A database process of an earlier run could not be ended',
};

/** Thrown by the embedded database supervisor. `code` is stable; `context` never holds a secret. */
export class EmbeddedPostgresError<C extends EmbeddedPostgresErrorCode> extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: C;
  readonly context: EmbeddedPostgresContexts[C];

  constructor(code: C, context: EmbeddedPostgresContexts[C], options?: ErrorOptions) {
    const details = Object.entries(context)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join(', ');
    super(`${MESSAGES[code]} (${details})`, options);
    this.code = code;
    this.context = context;
  }
}
