import { useRef } from 'react';
import type { Chain, RouteName, VolumeStats } from '@kervan/contract';
import { isApiError } from '../../lib/api-error.ts';
import { useServerEvent } from '../../lib/hooks.ts';
import { routeKey, useRouteQuery } from '../../lib/query.ts';
import { randomId } from '../../lib/random-id.ts';
import { useServices } from '../../lib/services.ts';
import type { StartCall } from './volume-values.ts';

/** Spec §9. */
const POLL_MS = 2_000;
const TRADES_SHOWN = 20;
const SESSIONS_SHOWN = 10;

const ROUTES = {
  solana: {
    stats: 'volumeStats',
    wallets: 'volumeWallets',
    sessions: 'listVolumeSessions',
    session: 'getVolumeSession',
    stop: 'stopVolume',
    drain: 'drainVolumeSession',
  },
  bsc: {
    stats: 'bscVolumeStats',
    wallets: 'bscVolumeWallets',
    sessions: 'listBscVolumeSessions',
    session: 'getBscVolumeSession',
    stop: 'stopBscVolume',
    drain: 'drainBscVolumeSession',
  },
} as const satisfies Record<Chain, Record<string, RouteName>>;

/** A wallet of the session on either chain. */
export interface VolumeWalletView {
  readonly id: string;
  readonly address: string;
  readonly status: 'funding' | 'trading' | 'draining' | 'drained' | 'stranded';
  readonly balance: string | null;
  readonly lastActivity: number | null;
}

/** Whether the session still moves money: then nothing else can be started. */
export function isUnderWay(stats: VolumeStats | undefined): boolean {
  return stats !== undefined && stats.state !== null && stats.state !== 'ended';
}

export function useVolumeStats(chain: Chain) {
  const { queryClient } = useServices();
  const name = ROUTES[chain].stats;
  useServerEvent('volume:updated', (event) => {
    if (event.chain !== chain) return;
    void queryClient.invalidateQueries({ queryKey: routeKey(name) });
    if (event.state === 'ended') {
      void queryClient.invalidateQueries({ queryKey: routeKey(ROUTES[chain].sessions) });
      void queryClient.invalidateQueries({ queryKey: routeKey(ROUTES[chain].session) });
    }
  });
  const shown = queryClient.getQueryData<VolumeStats>(routeKey(name, {}));
  return useRouteQuery<'volumeStats' | 'bscVolumeStats'>(
    name,
    {},
    { refetchInterval: isUnderWay(shown) ? POLL_MS : false, staleTime: 0 },
  );
}

/** The session's wallets that are not drained yet, while it is under way. */
export function useVolumeWallets(chain: Chain) {
  const solana = useRouteQuery(
    'volumeWallets',
    {},
    { enabled: chain === 'solana', refetchInterval: POLL_MS, staleTime: 0 },
  );
  const bsc = useRouteQuery(
    'bscVolumeWallets',
    {},
    { enabled: chain === 'bsc', refetchInterval: POLL_MS, staleTime: 0 },
  );
  const { error, isFetching, refetch } = chain === 'solana' ? solana : bsc;
  const data: readonly VolumeWalletView[] | undefined =
    chain === 'solana'
      ? solana.data?.map(({ publicKey, ...wallet }): VolumeWalletView => ({ ...wallet, address: publicKey }))
      : bsc.data;
  return { data, error, isFetching, refetch };
}

export function useVolumeTrades(chain: Chain) {
  return useRouteQuery(
    'listTrades',
    { query: { source: 'volume', chain, limit: TRADES_SHOWN } },
    { refetchInterval: POLL_MS, staleTime: 0 },
  );
}

export function useVolumeSessions(chain: Chain) {
  return useRouteQuery<'listVolumeSessions' | 'listBscVolumeSessions'>(ROUTES[chain].sessions, {
    query: { limit: SESSIONS_SHOWN },
  });
}

export function useVolumeSession(chain: Chain, id: string) {
  return useRouteQuery<'getVolumeSession' | 'getBscVolumeSession'>(ROUTES[chain].session, { params: { id } });
}

/** What can be done to the sessions of a chain; each resolves once the server has committed to it. */
export function useVolumeCommands(chain: Chain) {
  const { api, queryClient } = useServices();
  // Of a start whose answer was lost: asking again asks for the same session, not for a second one.
  const startKey = useRef<string>(undefined);
  const { stats, wallets, sessions, session, stop, drain } = ROUTES[chain];

  async function renew(): Promise<void> {
    const names: readonly RouteName[] = [stats, wallets, sessions, session];
    await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: routeKey(name) })));
  }

  return {
    // No mutation of the query library, which would keep what was sent, a pasted key and all, in its cache.
    async start(call: StartCall): Promise<void> {
      startKey.current ??= randomId();
      const options = { idempotencyKey: startKey.current };
      try {
        await (call.chain === 'solana'
          ? api.call('startVolume', { body: call.body }, options)
          : api.call('startBscVolume', { body: call.body }, options));
        startKey.current = undefined;
      } catch (error) {
        if (isApiError(error) && error.status > 0 && error.status < 500) startKey.current = undefined;
        throw error;
      }
      await renew();
    },
    async stop(): Promise<void> {
      await api.call(stop, {});
      await renew();
    },
    async drain(id: string): Promise<void> {
      await api.call(drain, { params: { id } });
      await renew();
    },
  };
}
