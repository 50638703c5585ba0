import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Chain } from '@kervan/contract';
import { useServerEvent } from '../../lib/hooks.ts';
import { localBotLogs } from '../../lib/local-bot-log.ts';
import { useRouteQuery } from '../../lib/query.ts';
import { useServices } from '../../lib/services.ts';
import { createLogStore } from './log-store.ts';

/** More often nobody can read, and it is the painting that costs. */
const FRAME_GAP_MS = 50;

/** The browser's next frame, at most 20 times a second. */
function createFrames(): (flush: () => void) => void {
  let last = 0;
  return (flush) => {
    const ask = (): void => {
      last = performance.now();
      requestAnimationFrame(flush);
    };
    const wait = last + FRAME_GAP_MS - performance.now();
    if (wait > 0) setTimeout(ask, wait);
    else ask();
  };
}

/** A bot's log as the server keeps it, and then as it happens. */
export function useLogStore(chain: Chain, botId: string) {
  const { queryClient } = useServices();
  const [store] = useState(() => createLogStore(createFrames()));
  const view = useSyncExternalStore(store.subscribe, store.get);
  const query = useRouteQuery(
    chain === 'solana' ? 'botLogs' : 'bscBotLogs',
    { params: { id: botId }, query: {} },
    { staleTime: 0 },
  );

  const { data } = query;
  useEffect(() => {
    if (data) store.merge([...data, ...localBotLogs(queryClient, botId)]);
  }, [data, store, queryClient, botId]);
  useServerEvent('bot:log', (entry) => {
    if (entry.bot_id === botId) store.push(entry);
  });
  return { store, view, query };
}
