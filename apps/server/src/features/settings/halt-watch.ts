import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@kervan/database';
import { isHalted } from '../../engine/halt.ts';
import type { Notifier } from '../../realtime/notifier.ts';

const EVERY_MS = 1_000;

export type HaltWatch = ReturnType<typeof createHaltWatch>;

/**
 * Tells the sockets whenever the halt switch has moved, by whatever hand: `npm run halt` and other servers write it
 * into the database without a word to this process. Hearing it twice changes nothing.
 */
export function createHaltWatch({ db, notifier }: { db: Database; notifier: Pick<Notifier, 'emitToAll'> }) {
  const stopping = new AbortController();
  let told: boolean | undefined;
  let latest: Promise<void> = Promise.resolve();
  let watching: Promise<void> | undefined;

  async function lookOnce(): Promise<void> {
    const halted = await isHalted(db);
    if (halted === told) return;
    told = halted;
    notifier.emitToAll('halt:updated', { halted });
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      // A database that is away is told of by the health check, not once a second from here.
      await look().catch(() => {});
      await delay(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Tells of the switch at once if it has moved. One look after the other, so that an older one never has the last word. */
  function look(): Promise<void> {
    latest = latest.catch(() => {}).then(lookOnce);
    return latest;
  }

  return {
    look,
    start(): void {
      watching ??= watch();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await watching;
    },
  };
}
