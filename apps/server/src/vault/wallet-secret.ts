import { KervanError } from '@kervan/contract';
import type { Database, TradeRow } from '@kervan/database';
import type { Vault } from './vault.ts';

/** A wallet's key as it was read from the database: still sealed, until it is used. */
export interface WalletKey {
  /** Opens the key for one use and wipes it after. Throws VAULT_LOCKED. */
  use<T>(sign: (secret: Uint8Array) => Promise<T>): Promise<T>;
}

/** Reads the sealed key of the wallet that a trade is signed by. Throws PASTED_KEY_GONE where none is stored. */
export async function readWalletKey(
  db: Database,
  vault: Vault,
  { wallet_id, user_id, chain }: Pick<TradeRow, 'wallet_id' | 'user_id' | 'chain'>,
): Promise<WalletKey> {
  if (wallet_id === null) throw new KervanError('PASTED_KEY_GONE');
  const wallet = await db
    .selectFrom('wallets')
    .select(['sealed_key', 'wrapped_data_key'])
    .where('id', '=', wallet_id)
    .executeTakeFirst();
  if (!wallet?.sealed_key || !wallet.wrapped_data_key) throw new KervanError('WALLET_NOT_FOUND');
  const sealed = { sealedKey: wallet.sealed_key, wrappedDataKey: wallet.wrapped_data_key };
  const owner = { userId: user_id, walletId: wallet_id, chain };
  return { use: (sign) => vault.withSecret(owner, sealed, sign) };
}
