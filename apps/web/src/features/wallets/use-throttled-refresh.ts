import { useEffect, useState } from 'react';
import { useLiveState } from '../../lib/hooks.ts';

export const REFRESH_EVERY_MS = 5_000;

export interface ThrottledRefresh {
  /** Why it would do nothing now. */
  blockedBy: 'offline' | 'throttle' | undefined;
  run: () => void;
}

/** Refreshing by hand: at most every 5 s, and only while the realtime connection stands (spec §2, §9). */
export function useThrottledRefresh(refresh: () => Promise<void>): ThrottledRefresh {
  const isLive = useLiveState().status === 'live';
  const [isResting, setResting] = useState(false);
  useEffect(() => {
    if (!isResting) return undefined;
    const timer = setTimeout(() => setResting(false), REFRESH_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isResting]);
  const blockedBy = isLive ? (isResting ? 'throttle' : undefined) : 'offline';
  return {
    blockedBy,
    run() {
      if (blockedBy !== undefined) return;
      setResting(true);
      void refresh();
    },
  };
}
