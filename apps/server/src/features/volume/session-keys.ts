import type { Chain } from '@kervan/contract';
import type { KeyMaterial } from '@kervan/chains';
import type { ChainKeys } from '../../engine/networks.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Master } from './repository.ts';

interface OwnKey extends KeyMaterial {
  readonly id: string;
  readonly name: string;
}

export type SessionKeys = ReturnType<typeof createSessionKeys>;

/** The keys of a session that is being started, in memory until they are sealed, and wiped whatever comes of it. */
export function createSessionKeys(
  chainKeys: ChainKeys,
  vault: Pick<Vault, 'seal'>,
  { userId, chain }: { readonly userId: string; readonly chain: Chain },
) {
  const own: OwnKey[] = [];

  function keep(key: KeyMaterial, name: string): Master {
    const kept = { ...key, id: uuidv7(), name };
    own.push(kept);
    return { id: kept.id, name, address: kept.address };
  }

  return {
    make: async (name: string): Promise<Master> => keep(await chainKeys.createKey(), name),

    /** The master's, as a person pasted it. Throws PRIVATE_KEY_HEX_INVALID, never with the text. */
    paste: async (text: string): Promise<Master> => keep(await chainKeys.importKey(text), 'Volume master'),

    /** Rows for the wallets table: none of the wallets that a user sees. */
    sealed: () =>
      own.map(({ id, name, address, secret }) => {
        const { sealedKey, wrappedDataKey } = vault.seal({ userId, walletId: id, chain }, secret);
        return {
          id,
          user_id: userId,
          chain,
          name,
          address,
          sealed_key: sealedKey,
          wrapped_data_key: wrappedDataKey,
          is_of_session: true,
        };
      }),

    wipe(): void {
      for (const { secret } of own) secret.fill(0);
    },
  };
}
