import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { BALANCE_ADDRESSES_MAX } from '@kervan/contract';
import type { Api } from './api.ts';
import { routeKey } from './query.ts';
import { useServices } from './services.ts';

/** The BNB of addresses, however many, by lower-case address. Asks nothing where there is none. */
export function useBscBalances(addresses: readonly string[]): UseQueryResult<Record<string, string>> {
  const { api } = useServices();
  return useQuery({
    queryKey: routeKey('bscBalances', { query: { addresses: addresses.join(',') } }),
    queryFn: ({ signal }) => readBscBalances(api, addresses, signal),
    enabled: addresses.length > 0,
    // One wallet more is no reason to forget what the others hold.
    placeholderData: keepPreviousData,
  });
}

/** One call takes so many addresses and no more. */
export async function readBscBalances(
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
