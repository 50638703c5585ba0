import { useEffect, useRef } from 'react';
import type { Chain } from '@kervan/contract';
import { useServerEvent } from '../../lib/hooks.ts';
import { REFRESH_EVERY_MS } from './use-throttled-refresh.ts';

/** Refreshes what trades change: soon after the first of them, and at most once every few seconds. */
export function useFollowTrades(chain: Chain, refresh: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refreshedAt = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  useServerEvent('trade:executed', (trade) => {
    if (trade.chain !== chain || timer.current !== undefined) return;
    const wait = Math.max(0, refreshedAt.current + REFRESH_EVERY_MS - Date.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      refreshedAt.current = Date.now();
      refresh();
    }, wait);
  });
}
