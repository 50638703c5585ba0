import type { ErrorCode, ErrorContext } from '@kervan/contract';
import type { Database, Schema, TradeRow } from '@kervan/database';
import { sql, type Selectable, type Transaction } from 'kysely';
import { storableContext } from '../../engine/storable.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { fingerprint, type Order } from './order.ts';

/** A wallet of a fast swap as it was planned. Its trade is the one of the fast swap with its address. */
export interface PlannedLeg {
  /** Null for a pasted key. */
  readonly walletId: string | null;
  readonly walletName: string | null;
  readonly address: string;
  /** Why no trade was planned for it. */
  readonly error: { readonly code: ErrorCode; readonly context: ErrorContext } | null;
}

type FastSwapRow = Selectable<Schema['fast_swaps']>;
export type FastSwapRecord = Pick<FastSwapRow, 'id' | 'chain' | 'request_hash'> & {
  readonly legs: readonly PlannedLeg[];
};

/** A stored wallet that the user has. */
export interface StoredWallet {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

export type FastSwapRepository = ReturnType<typeof createFastSwapRepository>;

export function createFastSwapRepository(db: Database) {
  const records = (userId: string) =>
    db
      .selectFrom('fast_swaps')
      .select(['id', 'chain', 'request_hash', 'legs'])
      .where('user_id', '=', userId)
      // Written by `fill` alone.
      .$narrowType<{ legs: readonly PlannedLeg[] }>();

  return {
    async find(userId: string, id: string): Promise<FastSwapRecord | undefined> {
      return await records(userId).where('id', '=', id).executeTakeFirst();
    },

    async findByKey(userId: string, key: string): Promise<FastSwapRecord | undefined> {
      return await records(userId).where('idempotency_key', '=', key).executeTakeFirst();
    },

    /** Claims the key for the order; undefined if it was claimed before, perhaps a moment ago. */
    async claim(
      trx: Transaction<Schema>,
      userId: string,
      key: string,
      order: Order,
    ): Promise<Omit<FastSwapRecord, 'legs'> | undefined> {
      return await trx
        .insertInto('fast_swaps')
        .values({
          id: uuidv7(),
          user_id: userId,
          idempotency_key: key,
          request_hash: fingerprint(order),
          chain: order.chain,
          legs: '[]',
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'chain', 'request_hash'])
        .executeTakeFirst();
    },

    /** Writes down what the claimed request was turned into, in the same transaction. */
    async fill(trx: Transaction<Schema>, id: string, legs: readonly PlannedLeg[]): Promise<void> {
      const storable = legs.map((leg) => ({
        ...leg,
        error: leg.error && { ...leg.error, context: storableContext(leg.error.context) },
      }));
      await sql`update fast_swaps set legs = ${JSON.stringify(storable)}::jsonb where id = ${id}`.execute(
        trx,
      );
    },

    async tradesOf(id: string): Promise<TradeRow[]> {
      return await db
        .selectFrom('trades')
        .selectAll()
        .where('source_id', '=', id)
        .where('source', '=', 'fast-swap')
        .execute();
    },

    /** The user's wallets that are named by their ids or have one of the addresses. */
    async wallets(
      userId: string,
      { chain, walletIds, pasted }: Pick<Order, 'chain' | 'walletIds' | 'pasted'>,
    ): Promise<StoredWallet[]> {
      const addresses = pasted.map(({ address }) => address);
      return await db
        .selectFrom('wallets')
        .select(['id', 'name', 'address'])
        .where('user_id', '=', userId)
        .where('chain', '=', chain)
        .where('deleted_at', 'is', null)
        .where('is_of_session', '=', false)
        .where((where) =>
          where.or([
            where('id', '=', sql<string>`any(${walletIds}::uuid[])`),
            where('address', '=', sql<string>`any(${addresses}::text[])`),
          ]),
        )
        .execute();
    },
  };
}
