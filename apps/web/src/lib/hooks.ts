import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { Chain, ServerEvent, ServerEventName, User } from '@kervan/contract';
import { useSession } from './account.ts';
import type { LiveState } from './live.ts';
import { useRouteQuery } from './query.ts';
import { useServices } from './services.ts';

/** Who is signed in; only for what is shown to signed-in users. */
export function useUser(): User {
  const session = useSession();
  if (session.status !== 'signed-in') throw new Error('useUser needs a signed-in session');
  return session.user;
}

export function useLiveState(): LiveState {
  const { live } = useServices();
  return useSyncExternalStore(live.subscribe, live.get);
}

/** Runs a handler on every such event of the socket while the component is shown. */
export function useServerEvent<N extends ServerEventName>(
  event: N,
  handler: (payload: ServerEvent<N>) => void,
): void {
  const { live } = useServices();
  const onEvent = useEffectEvent(handler);
  useEffect(() => live.on(event, (payload) => onEvent(payload)), [live, event]);
}

/** The time in ms, rounded down to `everyMs`, again at each tick while `isOn`; for countdowns and ages. */
export function useNow(everyMs = 1_000, isOn = true): number {
  const subscribe = useCallback(
    (onTick: () => void) => {
      if (!isOn) return () => undefined;
      const timer = setInterval(onTick, everyMs);
      return () => clearInterval(timer);
    },
    [everyMs, isOn],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / everyMs) * everyMs);
}

/** True once `isOn` has held for `ms`: a skeleton that would only flash is not shown. */
export function useDelayed(isOn: boolean, ms = 200): boolean {
  const [isPast, setPast] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setTimeout(() => setPast(true), ms);
    return () => {
      clearTimeout(timer);
      setPast(false);
    };
  }, [isOn, ms]);
  return isOn && isPast;
}

export type NetworkKind = 'sandbox' | 'test' | 'live';

/** Which world each chain's screens work in; undefined while it is not known. */
export function useNetworkKinds(): Partial<Record<Chain, NetworkKind>> {
  const { data: settings } = useRouteQuery('getSettings', {});
  const { data: networks } = useRouteQuery('listNetworks', {});
  const kindOf = (chain: Chain) =>
    networks?.find((info) => info.chain === chain && info.network === settings?.[chain].network)?.kind;
  const [solana, bsc] = [kindOf('solana'), kindOf('bsc')];
  return { ...(solana && { solana }), ...(bsc && { bsc }) };
}
