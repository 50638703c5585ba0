import { logInfo, logWarning } from './log.ts';

/** What records of an earlier version in this browser's storage are missing (spec §3). */
const DEFAULTS = {
  wallets: (now: string) => ({ createdAt: now, balance: 0 }),
  bots: (now: string) => ({
    createdAt: now,
    lastExecuted: null,
    executionCount: 0,
    isActive: false,
    rangeTimeMin: 120,
    rangeTimeMax: 180,
    amountMin: 1,
    amountMax: 2,
  }),
} as const;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Completes what an earlier version has left in the browser. Nothing of it is sent anywhere or removed. */
export function migrateLegacyData(storage: Store, now: Date): void {
  try {
    const isChanged = (['wallets', 'bots'] as const).map((key) => {
      const text = storage.getItem(key);
      const completed = text === null ? undefined : complete(text, DEFAULTS[key](now.toISOString()));
      if (completed === undefined || completed === text) return false;
      storage.setItem(key, completed);
      return true;
    });
    if (isChanged.includes(true)) logInfo('Data migration completed successfully');
  } catch (error) {
    logWarning('Data migration failed', error);
  }
}

/** The same records with the defaults for what each of them lacks; undefined if the text is no list. */
function complete(text: string, defaults: object): string | undefined {
  const stored: unknown = JSON.parse(text);
  if (!Array.isArray(stored)) return undefined;
  return JSON.stringify(
    stored.map((record: unknown) =>
      typeof record === 'object' && record !== null ? { ...defaults, ...record } : record,
    ),
  );
}
