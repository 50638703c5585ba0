import type { UseQueryResult } from '@tanstack/react-query';
import type { Chain } from '@kervan/contract';
import { useRouteQuery } from './query.ts';

/** A wallet of the vault, whatever its chain calls its address. */
export interface StoredWallet {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

type StoredWallets = Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'> & {
  /** Undefined while they are not known. */
  readonly data: readonly StoredWallet[] | undefined;
};

/** The stored wallets of a chain. */
export function useStoredWallets(chain: Chain): StoredWallets {
  const isSolana = chain === 'solana';
  const solana = useRouteQuery('listWallets', {}, { enabled: isSolana });
  const bsc = useRouteQuery('listBscWallets', {}, { enabled: !isSolana });
  const { error, isFetching, refetch } = isSolana ? solana : bsc;
  const data = isSolana
    ? solana.data?.map(({ id, name, public_key: address }) => ({ id, name, address }))
    : bsc.data?.map(({ id, name, address }) => ({ id, name, address }));
  return { data, error, isFetching, refetch };
}
