import { useEffect, useRef, useState } from 'react';
import type { BodySentTo, Settings, routes } from '@kervan/contract';
import { routeKey, useRouteMutation } from '../../lib/query.ts';
import { useServices } from '../../lib/services.ts';
import { storeSettings } from './stored-settings.ts';

export type SaveState = 'idle' | 'saving' | 'saved' | 'error';

/** How long the button says how it went (spec §2). */
const SHOWN_MS = { saved: 2_000, error: 3_000 } as const;

type Changes = BodySentTo<(typeof routes)['updateSettings']>;

/** Saves changed settings, and tells how that goes. */
export function useSaving() {
  const { queryClient } = useServices();
  // All that depends on the chosen networks is asked for again.
  const { mutateAsync } = useRouteMutation('updateSettings');
  const [state, setState] = useState<SaveState>('idle');
  const [failure, setFailure] = useState<unknown>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function show(next: 'saved' | 'error'): void {
    setState(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), SHOWN_MS[next]);
  }

  /** Resolves to whether it was saved. */
  async function save(changes: Changes): Promise<boolean> {
    setFailure(undefined);
    setState('saving');
    try {
      const settings: Settings = await mutateAsync({ body: changes });
      queryClient.setQueryData(routeKey('getSettings', {}), settings);
      storeSettings(settings, localStorage);
      if (changes.bsc)
        window.dispatchEvent(new CustomEvent('bsc:settings:updated', { detail: settings.bsc }));
      // What is shown of balances, tokens and trades may be another network's now.
      void queryClient.invalidateQueries();
      show('saved');
      return true;
    } catch (error) {
      setFailure(error);
      show('error');
      return false;
    }
  }

  return { state, failure, save, forgetFailure: () => setFailure(undefined) };
}
