import { useMemo } from 'react';
import { useRouteMutation, useRouteQuery } from '../../lib/query.ts';
import { useFollowTrades } from './use-follow-trades.ts';
import { useSendWallet } from './use-send-wallet.ts';
import type { ChainWallets } from './wallet-view.ts';

export function useSolanaWallets(): ChainWallets {
  const list = useRouteQuery('listWallets', {});
  const balances = useRouteQuery('walletBalances', {});
  const create = useSendWallet('createWallet', {
    invalidates: ['listWallets', 'walletBalances'],
  });
  const { mutateAsync: remove } = useRouteMutation('deleteWallet', { invalidates: ['listWallets'] });
  const wallets = useMemo(
    () =>
      list.data?.map(({ id, name, public_key: address, created_at: createdAt }) => ({
        id,
        name,
        address,
        createdAt,
        balance: balances.data?.[address]?.sol,
      })),
    [list.data, balances.data],
  );
  const refresh = async (): Promise<void> => {
    await Promise.all([list.refetch(), balances.refetch()]);
  };
  useFollowTrades('solana', () => void balances.refetch());
  return {
    chain: 'solana',
    wallets,
    error: list.error ?? balances.error,
    balancesAt: balances.dataUpdatedAt,
    isRefreshing: list.isFetching || balances.isFetching,
    refresh,
    create: ({ name, key }) => create({ body: { name, ...(key !== undefined && { private_key: key }) } }),
    remove: (id) => remove({ params: { id } }),
  };
}
