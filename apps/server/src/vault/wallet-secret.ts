import { KervanError } from '@kervan/contract';
import type { Database, TradeRow } from '@kervan/database';
import { sql } from 'kysely';
import { createLoader } from '../lib/loader.ts';
import type { Vault } from './vault.ts';

/** A wallet's key as it was read from the database: still sealed, until it is used. */
export interface WalletKey {
  /** Opens the key for one use and wipes it after. Throws VAULT_LOCKED. */
  use<T>(sign: (secret: Uint8Array) => Promise<T>): Promise<T>;
}

/** Reads the sealed keys of the wallets that trades are signed by; those of many wallets at once in one query. */
export function createWalletKeyReader(db: Database, vault: Pick<Vault, 'withSecret'>) {
  const load = createLoader(async (ids) => {
    const wallets = await db
      .selectFrom('wallets')
      .select(['id', 'sealed_key', 'wrapped_data_key'])
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute();
    return new Map(wallets.map((wallet) => [wallet.id, wallet]));
  });

  /** Throws WALLET_NOT_FOUND, and PASTED_KEY_GONE where none is stored. */
  return async function readWalletKey({
    wallet_id,
    user_id,
    chain,
  }: Pick<TradeRow, 'wallet_id' | 'user_id' | 'chain'>): Promise<WalletKey> {
    if (wallet_id === null) throw new KervanError('PASTED_KEY_GONE');
    const wallet = await load(wallet_id);
    if (!wallet?.sealed_key || !wallet.wrapped_data_key) throw new KervanError('WALLET_NOT_FOUND');
    const sealed = { sealedKey: wallet.sealed_key, wrappedDataKey: wallet.wrapped_data_key };
    const owner = { userId: user_id, walletId: wallet_id, chain };
    return { use: (sign) => vault.withSecret(owner, sealed, sign) };
  };
}
