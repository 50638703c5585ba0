import { KervanError } from '@kervan/contract';
import type { Database, TradeRow } from '@kervan/database';
import type { Vault } from './vault.ts';

/** Opens the key of the wallet that a trade is signed by, for one use. */
export async function withSecretOf<T>(
  db: Database,
  vault: Vault,
  { wallet_id, user_id, chain }: Pick<TradeRow, 'wallet_id' | 'user_id' | 'chain'>,
  use: (secret: Uint8Array) => Promise<T>,
): Promise<T> {
  const wallet = await db
    .selectFrom('wallets')
    .select(['sealed_key', 'wrapped_data_key'])
    .where('id', '=', wallet_id)
    .executeTakeFirst();
  if (!wallet?.sealed_key || !wallet.wrapped_data_key) throw new KervanError('WALLET_NOT_FOUND');
  const sealed = { sealedKey: wallet.sealed_key, wrappedDataKey: wallet.wrapped_data_key };
  return await vault.withSecret({ userId: user_id, walletId: wallet_id, chain }, sealed, use);
}
