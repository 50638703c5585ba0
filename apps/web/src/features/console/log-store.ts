import { BOT_LOGS_FETCHED, BOT_LOGS_KEPT, type BotLog, type LogLevel } from '@kervan/contract';
import { sumDecimals } from '../../lib/decimal.ts';
import { createSource, type Observable } from '../../lib/observable.ts';
import { decimalFigure, toLine, type LogLine } from './log-line.ts';

/** The 200 that are fetched, and 100 that are heard after them. */
const CAPACITY = BOT_LOGS_FETCHED + BOT_LOGS_KEPT;
/** How many lines a reader who has scrolled up may gain below; further ones are only counted. */
const PAUSED_CAPACITY = 2 * CAPACITY;

export interface Totals {
  readonly trades: number;
  readonly tokens: string;
  readonly native: string;
}

export interface LogView {
  /** Oldest first. While paused nothing is taken away from the top. */
  readonly lines: readonly LogLine[];
  readonly counts: Readonly<Record<LogLevel, number>>;
  /** Of every successful trade since the console was opened or cleared, also of those that have left the list. */
  readonly totals: Totals;
  /** Lines that came since the reader stopped following. */
  readonly newCount: number;
  readonly lastTrade: LogLine | null;
  readonly lastError: LogLine | null;
  readonly isCleared: boolean;
}

export interface LogStore extends Observable<LogView> {
  /** What the server keeps, newest first; entries that are known already are left out. */
  merge(entries: readonly BotLog[]): void;
  /** One entry as it happens. Shown with the next frame. */
  push(entry: BotLog): void;
  /** Takes nothing more from the top, and counts from here on what is new. */
  pause(): void;
  resume(): void;
  clear(): void;
}

const NOTHING: Totals = { trades: 0, tokens: '0', native: '0' };
const TRADE_CODES = new Set(['TRADE_SUCCESS', 'TRADE_FAILED']);

/**
 * A bot's console: a ring of lines that is shown at most once a frame, however fast they come.
 * `onNextFrame` is requestAnimationFrame in the browser; a hidden page has no frames, and the ring stays as small.
 */
export function createLogStore(onNextFrame: (flush: () => void) => void): LogStore {
  let ring: readonly LogLine[] = [];
  let waiting: LogLine[] = [];
  /** What a paused reader sees; null while the tail is followed. */
  let held: readonly LogLine[] | null = null;
  let totals = NOTHING;
  let newCount = 0;
  let hasLostLines = false;
  let lastTrade: LogLine | null = null;
  let lastError: LogLine | null = null;
  let clearedUpTo: BotLog | undefined;
  let newest: BotLog | undefined;
  let isFrameAsked = false;

  function view(): LogView {
    const lines = held ?? ring;
    const counts = { info: 0, success: 0, warning: 0, error: 0 };
    for (const { level } of lines) counts[level]++;
    const isCleared = clearedUpTo !== undefined && lines.length === 0;
    return { lines, counts, totals, newCount, lastTrade, lastError, isCleared };
  }

  const source = createSource<LogView>(view());
  const publish = (): void => source.set(view());

  function account(line: LogLine): void {
    if (line.code !== null && TRADE_CODES.has(line.code) && !isOlder(line, lastTrade)) lastTrade = line;
    if (line.level === 'error' && !isOlder(line, lastError)) lastError = line;
    if (line.code !== 'TRADE_SUCCESS') return;
    totals = {
      trades: totals.trades + 1,
      tokens: sumDecimals([totals.tokens, decimalFigure(line, 'amountTokens') ?? '0']),
      native: sumDecimals([totals.native, decimalFigure(line, 'amountSol') ?? '0']),
    };
  }

  function noteNewest(entry: BotLog): void {
    if (newest === undefined || compareEntries(entry, newest) > 0) newest = entry;
  }

  function trimmed(lines: readonly LogLine[]): readonly LogLine[] {
    if (lines.length <= CAPACITY) return lines;
    hasLostLines = true;
    return lines.slice(-CAPACITY);
  }

  /** Everything heard so far in the ring, nothing shown yet. */
  function settle(): void {
    if (waiting.length === 0) return;
    if (held) {
      newCount += waiting.length;
      const room = PAUSED_CAPACITY - held.length;
      if (room > 0) held = [...held, ...waiting.slice(0, room)];
    }
    ring = trimmed([...ring, ...waiting]);
    waiting = [];
  }

  function flush(): void {
    isFrameAsked = false;
    settle();
    publish();
  }

  return {
    get: source.get,
    subscribe: source.subscribe,

    merge(entries) {
      settle();
      const known = new Set(ring.map((line) => line.id));
      const [oldest] = ring;
      const fresh = entries
        .filter((entry) => !known.has(entry.id))
        .filter((entry) => clearedUpTo === undefined || compareEntries(entry, clearedUpTo) > 0)
        // A full ring has let go of what is older, and counted it.
        .filter((entry) => !hasLostLines || !oldest || compareEntries(entry, entryOf(oldest)) > 0)
        .map((entry) => {
          noteNewest(entry);
          const line = toLine(entry);
          account(line);
          return line;
        });
      if (fresh.length === 0) return;
      const sorted = [...ring, ...fresh].toSorted((a, b) => compareEntries(entryOf(a), entryOf(b)));
      ring = trimmed(sorted);
      if (held) {
        newCount += fresh.length;
        held = ring;
      }
      publish();
    },

    push(entry) {
      const isKnown = (line: LogLine): boolean => line.id === entry.id;
      // A line that was fetched a moment ago may still come over the socket.
      if (waiting.some(isKnown) || (newest && compareEntries(entry, newest) <= 0 && ring.some(isKnown)))
        return;
      noteNewest(entry);
      const line = toLine(entry);
      account(line);
      waiting.push(line);
      // Without frames (a hidden page) the ring takes the lines all the same.
      if (waiting.length >= CAPACITY) settle();
      if (isFrameAsked) return;
      isFrameAsked = true;
      onNextFrame(flush);
    },

    pause() {
      settle();
      held = ring;
      newCount = 0;
      publish();
    },

    resume() {
      settle();
      held = null;
      newCount = 0;
      publish();
    },

    clear() {
      settle();
      clearedUpTo = newest;
      [ring, totals, newCount, lastTrade, lastError] = [[], NOTHING, 0, null, null];
      if (held) held = [];
      publish();
    },
  };
}

type Dated = Pick<BotLog, 'id' | 'created_at'>;

function entryOf({ id, createdAt }: LogLine): Dated {
  return { id, created_at: createdAt };
}

function isOlder(line: LogLine, than: LogLine | null): boolean {
  return than !== null && compareEntries(entryOf(line), entryOf(than)) < 0;
}

/** By time; within one instant by the server's running number. */
function compareEntries(a: Dated, b: Dated): number {
  return compareTexts(a.created_at, b.created_at) || a.id.length - b.id.length || compareTexts(a.id, b.id);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
