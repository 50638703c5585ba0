import type { Chain } from '@kervan/contract';
import { useRouteQuery } from '../../lib/query.ts';

export interface Master {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

/** The stored wallets that can fund a session; undefined while they are not known. */
export function useMasters(chain: Chain): readonly Master[] | undefined {
  const isSolana = chain === 'solana';
  const { data: solana } = useRouteQuery('listWallets', {}, { enabled: isSolana });
  const { data: bsc } = useRouteQuery('listBscWallets', {}, { enabled: !isSolana });
  return isSolana ? solana?.map((wallet) => ({ ...wallet, address: wallet.public_key })) : bsc;
}
