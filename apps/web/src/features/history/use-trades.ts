import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useThrottledCallback } from '@mantine/hooks';
import type { QuerySentTo, routes } from '@kervan/contract';
import { useServerEvent } from '../../lib/hooks.ts';
import { routeQuery } from '../../lib/query.ts';
import { useServices } from '../../lib/services.ts';

/** A list follows the trades that happen, but no faster than this. */
const FOLLOW_EVERY_MS = 2_000;

/** One page of trades, the newest first; what was shown stays until another page is there. */
export function useTrades(
  query: QuerySentTo<(typeof routes)['listTrades']> & { limit: number; page: number },
) {
  const { api } = useServices();
  const result = useQuery({
    ...routeQuery(api, 'listTrades', { query }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const follow = useThrottledCallback(() => void result.refetch(), FOLLOW_EVERY_MS);
  useServerEvent('trade:updated', () => follow());
  const pages = Math.max(1, Math.ceil((result.data?.total ?? 0) / query.limit));
  return { ...result, pages };
}
