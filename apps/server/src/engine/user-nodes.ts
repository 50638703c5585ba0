import { setTimeout as delay } from 'node:timers/promises';
import type { Chain, Network } from '@kervan/contract';
import type { Database, Queryable, Schema, UserNodeName } from '@kervan/database';
import { sql, type Selectable } from 'kysely';
import type { Logger } from 'pino';
import { uuidv7 } from '../lib/ids.ts';
import type { Vault } from '../vault/vault.ts';

/** How soon a change that another process made is noticed here. */
const EVERY_MS = 2_000;

interface Dependencies {
  readonly db: Database;
  readonly vault: Pick<Vault, 'seal' | 'withSecret'>;
  readonly logger: Logger;
}

export type UserNodes = ReturnType<typeof createUserNodes>;

const CHAINS: Readonly<Record<UserNodeName, Chain>> = {
  'solana-provider-key': 'solana',
  'bsc-testnet-url': 'bsc',
  'bsc-mainnet-url': 'bsc',
};

/** Which of a user's own nodes serves a network; one key of a Solana provider opens all of its networks. */
export function userNodeName(chain: Chain, network: Network): UserNodeName | undefined {
  if (network === 'sandbox') return undefined;
  if (chain === 'solana') return 'solana-provider-key';
  return network === 'mainnet' ? 'bsc-mainnet-url' : 'bsc-testnet-url';
}

/**
 * The nodes that users have named instead of the built-in ones. They are stored sealed, and are opened in the memory of
 * every process that trades: which node a trade is asked about is known without a look at the database.
 */
export function createUserNodes({ db, vault, logger }: Dependencies) {
  const stopping = new AbortController();
  let opened: ReadonlyMap<string, string> = new Map();
  let version: string | undefined;
  let latest: Promise<void> = Promise.resolve();
  let watching: Promise<void> | undefined;
  let onChanged: (nodes: ReadonlySet<string>) => void = () => {};

  const key = (userId: string, name: UserNodeName) => `${userId} ${name}`;

  /** Every change is a new row or one less: its time would not tell, for changes are committed in any order. */
  async function readVersion(): Promise<string> {
    const { rows } = await sql<{ version: string | null }>`
      select md5(string_agg(id::text, ' ' order by id)) as version from user_nodes`.execute(db);
    return rows[0]?.version ?? '';
  }

  async function loadOnce(): Promise<void> {
    const found = await readVersion();
    if (found === version) return;
    const rows = await db.selectFrom('user_nodes').selectAll().execute();
    const entries = await Promise.all(rows.map(open));
    opened = new Map(entries.filter((entry) => entry !== undefined));
    version = found;
    onChanged(new Set(opened.values()));
  }

  async function open(row: Selectable<Schema['user_nodes']>): Promise<[string, string] | undefined> {
    const owner = { userId: row.user_id, walletId: row.id, chain: row.chain };
    const sealed = { sealedKey: row.sealed_value, wrappedDataKey: row.wrapped_data_key };
    try {
      const value = await vault.withSecret(owner, sealed, async (bytes) => Buffer.from(bytes).toString());
      return [key(row.user_id, row.name), value];
    } catch (error) {
      // Its user is on the built-in node then; the others are not.
      logger.warn({ err: error, userId: row.user_id }, 'a user’s node could not be opened');
      return undefined;
    }
  }

  /** Reads what has changed, one reading after the other. */
  function load(): Promise<void> {
    latest = latest.catch(() => {}).then(loadOnce);
    return latest;
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted)
        await load().catch((error: unknown) => logger.warn({ err: error }, 'users’ nodes could not be read'));
    }
  }

  return {
    load,

    /** The provider key or address that the user has given for the network. */
    find(userId: string, chain: Chain, network: Network): string | undefined {
      const name = userNodeName(chain, network);
      return name && opened.get(key(userId, name));
    },

    /** What the user may see of theirs, by name. */
    async hints(trx: Queryable, userId: string): Promise<ReadonlyMap<UserNodeName, string>> {
      const rows = await trx
        .selectFrom('user_nodes')
        .select(['name', 'hint'])
        .where('user_id', '=', userId)
        .execute();
      return new Map(rows.map(({ name, hint }) => [name, hint]));
    },

    /** Stores one, or with null forgets it. It is used after the next `load`. */
    async store(
      trx: Queryable,
      userId: string,
      name: UserNodeName,
      node: { readonly value: string; readonly hint: string } | null,
    ): Promise<void> {
      // Never changed in place: the sealed bytes are bound to the row's id.
      await trx.deleteFrom('user_nodes').where('user_id', '=', userId).where('name', '=', name).execute();
      if (node === null) return;
      const id = uuidv7();
      const chain = CHAINS[name];
      const { sealedKey, wrappedDataKey } = vault.seal(
        { userId, walletId: id, chain },
        Buffer.from(node.value),
      );
      await trx
        .insertInto('user_nodes')
        .values({
          id,
          user_id: userId,
          chain,
          name,
          sealed_value: sealedKey,
          wrapped_data_key: wrappedDataKey,
          hint: node.hint,
        })
        .execute();
    },

    /** Told of every node that is named by someone, whenever that changes. */
    listen(listener: (nodes: ReadonlySet<string>) => void): void {
      onChanged = listener;
    },
    start(): void {
      watching ??= watch();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await watching;
    },
  };
}
