import type { UseQueryResult } from '@tanstack/react-query';
import type { Chain } from '@kervan/contract';
import type { Bot } from '../../lib/bot.ts';
import { useRouteQuery } from '../../lib/query.ts';

export function useBots(chain: Chain): UseQueryResult<Bot[]> {
  return useRouteQuery<'listBots' | 'listBscBots'>(chain === 'solana' ? 'listBots' : 'listBscBots', {});
}
