import type { Chain } from '@kervan/contract';
import { sumDecimals } from '../../lib/decimal.ts';

/** A wallet of either chain as its card shows it. */
export interface WalletView {
  id: string;
  name: string;
  address: string;
  createdAt: string;
  /** In SOL or BNB; undefined while it is not known. */
  balance: string | undefined;
}

export interface NewWallet {
  name: string;
  /** Left out for a wallet whose key the vault makes. */
  key: string | undefined;
}

/** All that a screen of wallets needs of one chain. */
export interface ChainWallets {
  chain: Chain;
  /** Undefined while they are not known. */
  wallets: readonly WalletView[] | undefined;
  /** Why the list or the balances shown are not of now. */
  error: Error | null;
  /** When the balances were read, in ms since 1970; 0 if they never were. */
  balancesAt: number;
  isRefreshing: boolean;
  refresh: () => Promise<void>;
  create: (wallet: NewWallet) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
}

/** The sum of all balances; undefined as long as one of them is not known. */
export function totalBalance(wallets: readonly WalletView[]): string | undefined {
  const balances = wallets.flatMap(({ balance }) => (balance === undefined ? [] : [balance]));
  return balances.length === wallets.length ? sumDecimals(balances) : undefined;
}
