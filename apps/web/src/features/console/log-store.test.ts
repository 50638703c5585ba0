import { beforeEach, describe, expect, test } from 'vitest';
import type { BotLog } from '@kervan/contract';
import { createLogStore, type LogStore } from './log-store.ts';

let frame: (() => void) | undefined;
let store: LogStore;

beforeEach(() => {
  frame = undefined;
  store = createLogStore((flush) => {
    if (frame) throw new Error('a frame was asked for twice');
    frame = flush;
  });
});

function nextFrame(): void {
  const flush = frame;
  frame = undefined;
  flush?.();
}

function entry(n: number, over: Partial<BotLog> = {}): BotLog {
  return {
    id: String(n),
    bot_id: '0190f9d2-6b64-7000-8000-000000000001',
    created_at: new Date(1_000_000 + n).toISOString(),
    level: 'info',
    message: `entry ${n}`,
    data: null,
    ...over,
  };
}

const success = (n: number, amountSol: string, amountTokens: string) =>
  entry(n, { level: 'success', data: JSON.stringify({ code: 'TRADE_SUCCESS', amountSol, amountTokens }) });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => entry(from + i));
const ids = () => store.get().lines.map((line) => line.id);

describe('the lines of a console', () => {
  test('are shown once a frame, however many come', () => {
    let shown = 0;
    store.subscribe(() => shown++);
    for (const each of range(1, 50)) store.push(each);
    expect(shown).toBe(0);
    nextFrame();
    expect(shown).toBe(1);
    expect(ids()).toHaveLength(50);
  });

  test('are the 200 fetched and 100 after them; the oldest make room', () => {
    store.merge(range(1, 200).toReversed());
    for (const each of range(201, 350)) store.push(each);
    nextFrame();
    expect(ids()).toHaveLength(300);
    expect(ids()[0]).toBe('51');
    expect(ids().at(-1)).toBe('350');
  });

  test('stay as few on a page that has no frames', () => {
    for (const each of range(1, 5_000)) store.push(each);
    nextFrame();
    expect(ids()).toHaveLength(300);
    expect(ids().at(-1)).toBe('5000');
  });

  test('are there once when they are fetched and heard', () => {
    store.push(entry(2));
    store.merge([entry(3), entry(2), entry(1)]);
    store.push(entry(3));
    nextFrame();
    expect(ids()).toEqual(['1', '2', '3']);
  });

  test('that were missed while the connection was lost take their place', () => {
    store.merge([entry(1)]);
    store.push(entry(5));
    nextFrame();
    store.merge([entry(5), entry(4), entry(3), entry(1)]);
    expect(ids()).toEqual(['1', '3', '4', '5']);
  });

  test('are counted by level', () => {
    store.merge([entry(3, { level: 'error' }), entry(2, { level: 'warning' }), entry(1)]);
    expect(store.get().counts).toEqual({ info: 1, success: 0, warning: 1, error: 1 });
    expect(store.get().lastError?.id).toBe('3');
  });

  test('with data that is no JSON are shown all the same', () => {
    store.merge([entry(1, { data: '{' })]);
    expect(store.get().lines[0]).toMatchObject({ code: null, message: 'entry 1' });
  });
});

describe('a reader who has scrolled up', () => {
  test('loses nothing from the top, and is told how many lines are new', () => {
    store.merge(range(1, 200).toReversed());
    store.pause();
    for (const each of range(201, 900)) store.push(each);
    nextFrame();
    expect(ids()[0]).toBe('1');
    expect(ids()).toHaveLength(600);
    expect(store.get().newCount).toBe(700);
  });

  test('has the newest lines again after coming back', () => {
    store.pause();
    for (const each of range(1, 400)) store.push(each);
    nextFrame();
    store.resume();
    expect(store.get().newCount).toBe(0);
    expect(ids()).toHaveLength(300);
    expect(ids().at(-1)).toBe('400');
  });
});

describe('totals', () => {
  test('are exact, and keep the trades that have left the list', () => {
    store.merge([success(1, '0.1', '3')]);
    store.push(success(2, '0.2', '0.000000001'));
    for (const each of range(3, 400)) store.push(each);
    nextFrame();
    expect(ids()).not.toContain('2');
    expect(store.get().totals).toEqual({ trades: 2, tokens: '3.000000001', native: '0.3' });
    // A fetch after a lost connection brings the old trades along.
    store.merge([...range(380, 400).toReversed(), success(2, '0.2', '0.000000001')]);
    expect(store.get().totals.trades).toBe(2);
    expect(store.get().lastTrade?.id).toBe('2');
  });
});

describe('clearing', () => {
  test('empties the list and the totals, and a later fetch does not bring them back', () => {
    store.merge([success(2, '0.1', '3'), entry(1)]);
    store.clear();
    expect(store.get()).toMatchObject({ lines: [], totals: { trades: 0, tokens: '0' }, isCleared: true });
    store.merge([entry(3), success(2, '0.1', '3'), entry(1)]);
    expect(ids()).toEqual(['3']);
    expect(store.get().isCleared).toBe(false);
  });
});
