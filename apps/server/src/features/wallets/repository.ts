import type { Chain, Page } from '@kervan/contract';
import type { Database, WalletRow } from '@kervan/database';
import { openStates } from '@kervan/domain';

export type Wallet = Pick<WalletRow, 'id' | 'name' | 'address' | 'created_at'>;

export interface NewWallet {
  readonly id: string;
  readonly user_id: string;
  readonly chain: Chain;
  readonly name: string;
  readonly address: string;
  readonly sealed_key: Buffer;
  readonly wrapped_data_key: Buffer;
}

export type Deletion =
  | { kind: 'deleted' }
  | { kind: 'missing' }
  | { kind: 'in-use'; bots: number; trades: number }
  | { kind: 'funds-session' };

const shown = ['id', 'name', 'address', 'created_at'] as const;

export function createWalletsRepository(db: Database) {
  const alive = (userId: string, chain: Chain) =>
    db
      .selectFrom('wallets')
      .where('user_id', '=', userId)
      .where('chain', '=', chain)
      .where('deleted_at', 'is', null)
      .where('is_of_session', '=', false);

  return {
    async page(
      userId: string,
      chain: Chain,
      { page, limit }: Page,
    ): Promise<{ rows: Wallet[]; total: number }> {
      const wallets = alive(userId, chain);
      const [rows, { total }] = await Promise.all([
        wallets
          .select(shown)
          .orderBy('created_at')
          .orderBy('id')
          .limit(limit)
          .offset((page - 1) * limit)
          .execute(),
        wallets.select(({ fn }) => fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
      ]);
      return { rows, total: Number(total) };
    },

    async addresses(userId: string, chain: Chain): Promise<string[]> {
      const rows = await alive(userId, chain).select('address').execute();
      return rows.map((row) => row.address);
    },

    async find(userId: string, chain: Chain, id: string): Promise<Wallet | undefined> {
      return await alive(userId, chain).select(shown).where('id', '=', id).executeTakeFirst();
    },

    async findByAddress(userId: string, chain: Chain, address: string): Promise<Wallet | undefined> {
      return await alive(userId, chain).select(shown).where('address', '=', address).executeTakeFirst();
    },

    /** Undefined if the user already has the address. */
    async insert(wallet: NewWallet): Promise<Wallet | undefined> {
      return await db
        .insertInto('wallets')
        .values(wallet)
        .onConflict((conflict) => conflict.doNothing())
        .returning(shown)
        .executeTakeFirst();
    },

    /**
     * Deletes the wallet and its key unless something uses it. Whoever begins to use a wallet (a new bot, a planned
     * trade) holds its row with at least a key-share lock until the commit, so none can slip in between.
     */
    async delete(userId: string, chain: Chain, id: string): Promise<Deletion> {
      return await db.transaction().execute(async (trx): Promise<Deletion> => {
        const wallet = await trx
          .selectFrom('wallets')
          .select('id')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .where('chain', '=', chain)
          .where('deleted_at', 'is', null)
          .where('is_of_session', '=', false)
          .forUpdate()
          .executeTakeFirst();
        if (!wallet) return { kind: 'missing' };

        const bots = await trx
          .selectFrom('bots')
          .select(({ fn }) => fn.countAll<bigint>().as('count'))
          .where('wallet_id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow();
        const trades = await trx
          .selectFrom('trades')
          .select(({ fn }) => fn.countAll<bigint>().as('count'))
          .where('wallet_id', '=', id)
          .where('state', 'in', openStates)
          .executeTakeFirstOrThrow();
        if (bots.count > 0n || trades.count > 0n)
          return { kind: 'in-use', bots: Number(bots.count), trades: Number(trades.count) };

        const session = await trx
          .selectFrom('volume_sessions')
          .select('id')
          .where('master_wallet_id', '=', id)
          .where('state', '<>', 'ended')
          .executeTakeFirst();
        if (session) return { kind: 'funds-session' };

        await trx
          .updateTable('wallets')
          .set({ deleted_at: new Date(), sealed_key: null, wrapped_data_key: null })
          .where('id', '=', id)
          .execute();
        return { kind: 'deleted' };
      });
    },
  };
}
