import { expect, test } from 'vitest';
import { exportFileName, linesToText } from './export-text.ts';
import { toLine } from './log-line.ts';

test('the file is named from the bot and the date, in characters that every file system takes', () => {
  const noon = new Date(2026, 10, 1, 12);
  expect(exportFileName('Alıcı / v2 "hızlı"', noon)).toBe('Alıcı-v2-hızlı-2026-11-01.txt');
  expect(exportFileName('../..', noon)).toBe('bot-2026-11-01.txt');
});

test('the text has a row for each line: time, level, words, data', () => {
  const entry = { id: '1', bot_id: '', created_at: '2026-01-01T00:00:00.000Z', message: 'm' } as const;
  const lines = [
    toLine({ ...entry, level: 'success', data: '{"code":"X"}' }),
    toLine({ ...entry, level: 'info', data: null }),
  ];
  expect(linesToText(lines, (line) => `words of ${line.message}`)).toBe(
    '2026-01-01T00:00:00.000Z  success  words of m  {"code":"X"}\n2026-01-01T00:00:00.000Z  info     words of m',
  );
});
