import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { BALANCE_ADDRESSES_MAX } from '@kervan/contract';
import type { Api } from '../../lib/api.ts';
import { routeKey, useRouteMutation, useRouteQuery } from '../../lib/query.ts';
import { useServices } from '../../lib/services.ts';
import { useFollowTrades } from './use-follow-trades.ts';
import { useSendWallet } from './use-send-wallet.ts';
import type { ChainWallets } from './wallet-view.ts';

export function useBscWallets(): ChainWallets {
  const { api } = useServices();
  const list = useRouteQuery('listBscWallets', {});
  const addresses = list.data?.map(({ address }) => address) ?? [];
  const balances = useQuery({
    queryKey: routeKey('bscBalances', { query: { addresses: addresses.join(',') } }),
    queryFn: ({ signal }) => readBalances(api, addresses, signal),
    enabled: addresses.length > 0,
    // One wallet more is no reason to forget what the others hold.
    placeholderData: keepPreviousData,
  });
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

/** One call takes so many addresses and no more. */
async function readBalances(
  api: Api,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const calls = [];
  for (let start = 0; start < addresses.length; start += BALANCE_ADDRESSES_MAX) {
    const part = addresses.slice(start, start + BALANCE_ADDRESSES_MAX).join(',');
    calls.push(api.call('bscBalances', { query: { addresses: part } }, { signal }));
  }
  return Object.assign({}, ...(await Promise.all(calls)));
}
