import type { UseQueryResult } from '@tanstack/react-query';
import type { Chain } from '@kervan/contract';
import type { Bot } from '../../lib/bot.ts';
import { useRouteQuery } from '../../lib/query.ts';

export interface WalletChoice {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

export function useBots(chain: Chain): UseQueryResult<Bot[]> {
  return useRouteQuery<'listBots' | 'listBscBots'>(chain === 'solana' ? 'listBots' : 'listBscBots', {});
}

/** The wallets that a bot of the chain can trade from; undefined while they are not known. */
export function useWalletChoices(chain: Chain): readonly WalletChoice[] | undefined {
  const isSolana = chain === 'solana';
  const { data: solana } = useRouteQuery('listWallets', {}, { enabled: isSolana });
  const { data: bsc } = useRouteQuery('listBscWallets', {}, { enabled: !isSolana });
  return isSolana ? solana?.map((wallet) => ({ ...wallet, address: wallet.public_key })) : bsc;
}
