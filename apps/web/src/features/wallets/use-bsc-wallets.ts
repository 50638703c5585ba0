import { useMemo } from 'react';
import { useBscBalances } from '../../lib/bsc-balances.ts';
import { useRouteMutation, useRouteQuery } from '../../lib/query.ts';
import { useFollowTrades } from './use-follow-trades.ts';
import { useSendWallet } from './use-send-wallet.ts';
import type { ChainWallets } from './wallet-view.ts';

export function useBscWallets(): ChainWallets {
  const list = useRouteQuery('listBscWallets', {});
  const addresses = list.data?.map(({ address }) => address) ?? [];
  const balances = useBscBalances(addresses);
  const create = useSendWallet('createBscWallet', { invalidates: ['listBscWallets'] });
  const { mutateAsync: remove } = useRouteMutation('deleteBscWallet', { invalidates: ['listBscWallets'] });
  const wallets = useMemo(
    () =>
      list.data?.map(({ id, name, address, created_at: createdAt }) => ({
        id,
        name,
        address,
        createdAt,
        balance: balances.data?.[address.toLowerCase()],
      })),
    [list.data, balances.data],
  );
  const hasAddresses = addresses.length > 0;
  const refresh = async (): Promise<void> => {
    await Promise.all([list.refetch(), hasAddresses && balances.refetch()]);
  };
  useFollowTrades('bsc', () => {
    if (hasAddresses) void balances.refetch();
  });
  return {
    chain: 'bsc',
    wallets,
    error: list.error ?? balances.error,
    balancesAt: balances.dataUpdatedAt,
    isRefreshing: list.isFetching || balances.isFetching,
    refresh,
    create: ({ name, key }) => create({ body: { name, ...(key !== undefined && { privateKeyHex: key }) } }),
    remove: (id) => remove({ params: { id } }),
  };
}
