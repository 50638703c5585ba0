import type { BotLog, ErrorContext, LogLevel } from '@kervan/contract';

/** One entry of a console, with its data read once. */
export interface LogLine {
  readonly id: string;
  readonly level: LogLevel;
  readonly createdAt: string;
  /** The server's own words, in English, for a code that this build does not know. */
  readonly message: string;
  /** Names the event; null where the entry has none. */
  readonly code: string | null;
  readonly figures: ErrorContext;
  /** The data as it came, JSON text. */
  readonly data: string | null;
}

export function toLine(entry: BotLog): LogLine {
  const figures = readFigures(entry.data);
  return {
    id: entry.id,
    level: entry.level,
    createdAt: entry.created_at,
    message: entry.message,
    code: typeof figures['code'] === 'string' ? figures['code'] : null,
    figures,
    data: entry.data,
  };
}

function readFigures(data: string | null): ErrorContext {
  if (data === null) return {};
  try {
    const parsed: unknown = JSON.parse(data);
    // The server writes one flat object; what reads it checks each figure it uses.
    return typeof parsed === 'object' && parsed !== null ? (parsed as ErrorContext) : {};
  } catch {
    return {};
  }
}

/** A figure that is a decimal text, as amounts are. */
export function decimalFigure(line: Pick<LogLine, 'figures'>, name: string): string | null {
  const value = line.figures[name];
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? value : null;
}
