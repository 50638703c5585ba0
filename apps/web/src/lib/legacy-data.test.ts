import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { migrateLegacyData } from './legacy-data.ts';

const now = new Date('2026-11-21T10:00:00.000Z');

function storageOf(content: Record<string, string>) {
  return {
    content,
    getItem: (key: string) => content[key] ?? null,
    setItem: vi.fn<(key: string, value: string) => void>((key, value) => {
      content[key] = value;
    }),
  };
}

let info: ReturnType<typeof vi.spyOn>;
let warn: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  info = vi.spyOn(console, 'info').mockReturnValue();
  warn = vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

test('wallets and bots of an earlier version gain what they lack and keep what they have', () => {
  const storage = storageOf({
    wallets: JSON.stringify([{ id: 'w', balance: 3 }]),
    bots: JSON.stringify([{ id: 'b', amountMin: 5, isActive: true }]),
  });
  migrateLegacyData(storage, now);
  expect(JSON.parse(storage.content['wallets'] ?? '')).toEqual([
    { id: 'w', createdAt: now.toISOString(), balance: 3 },
  ]);
  expect(JSON.parse(storage.content['bots'] ?? '')).toEqual([
    {
      id: 'b',
      createdAt: now.toISOString(),
      lastExecuted: null,
      executionCount: 0,
      isActive: true,
      rangeTimeMin: 120,
      rangeTimeMax: 180,
      amountMin: 5,
      amountMax: 2,
    },
  ]);
  expect(info).toHaveBeenCalledWith('Data migration completed successfully');
});

test('a second time nothing is left to do', () => {
  const storage = storageOf({ wallets: JSON.stringify([{ id: 'w' }]) });
  migrateLegacyData(storage, now);
  const after = storage.content['wallets'];
  migrateLegacyData(storage, new Date(0));
  expect(storage.content['wallets']).toBe(after);
  expect(storage.setItem).toHaveBeenCalledTimes(1);
});

test('a browser without such data is left alone', () => {
  const storage = storageOf({});
  migrateLegacyData(storage, now);
  expect(storage.setItem).not.toHaveBeenCalled();
  expect(info).not.toHaveBeenCalled();
});

test('what can’t be read is logged and left as it is', () => {
  const storage = storageOf({ bots: '{not json' });
  migrateLegacyData(storage, now);
  expect(storage.content).toEqual({ bots: '{not json' });
  expect(warn).toHaveBeenCalledWith('Data migration failed', expect.any(SyntaxError));
});
