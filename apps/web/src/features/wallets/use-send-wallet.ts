import type { RouteName } from '@kervan/contract';
import type { CallArgs } from '../../lib/send.ts';
import { routeKey } from '../../lib/query.ts';
import { useServices } from '../../lib/services.ts';

/**
 * A call that may carry a private key. It is no mutation of the query library, which would keep what was sent, key
 * and all, in its cache for minutes.
 */
export function useSendWallet<N extends 'createWallet' | 'createBscWallet'>(
  name: N,
  { invalidates }: { invalidates: readonly RouteName[] },
): (args: CallArgs<N>) => Promise<void> {
  const { api, queryClient } = useServices();
  return async (args) => {
    await api.call(name, args);
    await Promise.all(
      invalidates.map((route) => queryClient.invalidateQueries({ queryKey: routeKey(route) })),
    );
  };
}
