import pg from 'pg';

/** Held shared by every running server, and exclusively by whoever changes the master key. */
const PRESENCE_LOCK = 7_710_003;
const RECONNECT_MS = 1_000;

export interface Presence {
  leave(): Promise<void>;
}

/**
 * Shows for as long as this process lives that it works with the vault, so that the master key is not changed
 * under it. The lock belongs to a connection and goes with it; a lost connection is made again.
 */
export function showPresence(databaseUrl: string): Presence {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasLeft = false;

  async function join(): Promise<void> {
    const joining = new pg.Client({ connectionString: databaseUrl, application_name: 'kervan-presence' });
    client = joining;
    joining.on('error', () => {});
    joining.once('end', again);
    try {
      await joining.connect();
      await joining.query('select pg_advisory_lock_shared($1)', [PRESENCE_LOCK]);
    } catch {
      await joining.end().catch(() => {});
      again();
    }
  }

  function again(): void {
    if (hasLeft || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      void join();
    }, RECONNECT_MS);
  }

  void join();
  return {
    async leave() {
      hasLeft = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}

/** Runs `work` while no server is there; none can come meanwhile. False, without running it, when one is. */
export async function whileAlone(databaseUrl: string, work: () => Promise<void>): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'kervan-vault' });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [
      PRESENCE_LOCK,
    ]);
    if (rows[0]?.alone !== true) return false;
    await work();
    return true;
  } finally {
    await client.end();
  }
}
