import {
  QueryClient,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { RouteName } from '@kervan/contract';
import type { Api } from './api.ts';
import { isApiError } from './api-error.ts';
import type { CallArgs, CallData } from './send.ts';
import { useServices } from './services.ts';

const RATE_LIMIT_RETRIES = 3;
const TRANSIENT_RETRIES = 1;
const RETRY_BASE_MS = 1_000;
const RETRY_JITTER_MS = 1_000;

const transient = new Set(['NETWORK', 'TIMEOUT', 'ANSWER_INVALID', 'UNAVAILABLE']);

/** Spec §8: a 429 is tried three times more, one second, then doubling, plus up to a second of jitter. */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (isApiError(error, 'RATE_LIMITED')) return failures < RATE_LIMIT_RETRIES;
  return isApiError(error) && transient.has(error.code) && failures < TRANSIENT_RETRIES;
}

export function retryDelayMs(failures: number, random: () => number = Math.random): number {
  return RETRY_BASE_MS * 2 ** failures + random() * RETRY_JITTER_MS;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay: (failures) => retryDelayMs(failures),
        // The socket keeps what is shown fresh, and a lost connection refetches it all.
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // The server is often this very machine: it is there without any network.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Where a route's answer lives in the cache; without arguments, all answers of the route. */
export function routeKey<N extends RouteName>(name: N, args?: CallArgs<N>): readonly unknown[] {
  return args === undefined ? [name] : [name, args];
}

export function routeQuery<N extends RouteName>(api: Api, name: N, args: CallArgs<N>) {
  return {
    queryKey: routeKey(name, args),
    queryFn: ({ signal }: { signal: AbortSignal }) => api.call(name, args, { signal }),
  };
}

interface QuerySwitches {
  enabled?: boolean;
  staleTime?: number;
  refetchInterval?: number | false;
}

/** The answer of a GET route, cached under `routeKey(name, args)`. */
export function useRouteQuery<N extends RouteName>(
  name: N,
  args: CallArgs<N>,
  switches: QuerySwitches = {},
): UseQueryResult<CallData<N>> {
  const { api } = useServices();
  // `never` where TanStack would forbid a query function that returns undefined: the contract's data never is.
  return useQuery({ ...routeQuery(api, name, args), ...switches }) as UseQueryResult<CallData<N>>;
}

/** A changing call. It marks the answers of the routes in `invalidates` as old, and waits until they are new. */
export function useRouteMutation<N extends RouteName>(
  name: N,
  { invalidates = [] }: { invalidates?: readonly RouteName[] } = {},
): UseMutationResult<CallData<N>, Error, CallArgs<N>> {
  const { api, queryClient } = useServices();
  return useMutation({
    mutationFn: (args: CallArgs<N>) => api.call(name, args),
    onSuccess: async () => {
      await Promise.all(
        invalidates.map((route) => queryClient.invalidateQueries({ queryKey: routeKey(route) })),
      );
    },
  });
}
