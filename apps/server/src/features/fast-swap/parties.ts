import { KervanError } from '@kervan/contract';
import type { Order } from './order.ts';
import type { StoredWallet } from './repository.ts';

/** Who takes part in a fast swap. */
export interface Party {
  /** Null where the key was pasted and is no stored wallet's. */
  readonly walletId: string | null;
  readonly walletName: string | null;
  readonly address: string;
}

/**
 * The parties of an order, one an address: whatever is named or pasted twice trades once, and a pasted key of a stored
 * wallet is that wallet. Throws WALLET_NOT_FOUND for an id that is not among the user's wallets.
 */
export function partiesOf(
  { walletIds, pasted }: Pick<Order, 'walletIds' | 'pasted'>,
  wallets: readonly StoredWallet[],
): Party[] {
  const parties = new Map<string, Party>();
  const add = ({ id, name, address }: StoredWallet) =>
    parties.set(address, { walletId: id, walletName: name, address });

  for (const walletId of walletIds) {
    const wallet = wallets.find(({ id }) => id === walletId);
    if (!wallet) throw new KervanError('WALLET_NOT_FOUND');
    add(wallet);
  }
  for (const { address } of pasted) {
    const wallet = wallets.find((each) => each.address === address);
    if (wallet) add(wallet);
    else parties.set(address, { walletId: null, walletName: null, address });
  }
  return [...parties.values()];
}
