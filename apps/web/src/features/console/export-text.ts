import type { LogLine } from './log-line.ts';

/** The lines as plain text, one a row: time, level, message, and the data as JSON. */
export function linesToText(lines: readonly LogLine[], words: (line: LogLine) => string): string {
  return lines
    .map((line) => [line.createdAt, line.level.padEnd(7), words(line), line.data].filter(Boolean).join('  '))
    .join('\n');
}

/** Named from the bot and the date (spec §2), in characters that every file system takes. */
export function exportFileName(botName: string, now: Date): string {
  const name = botName
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${name || 'bot'}-${date.join('-')}.txt`;
}
