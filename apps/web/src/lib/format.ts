import type { Language } from '@kervan/contract';

/** What stands for a number that is not known. Never 0. */
export const UNKNOWN = '—';

const LOCALES: Readonly<Record<Language, string>> = { tr: 'tr-TR', en: 'en-US' };

// Building a formatter costs far more than using it.
const numberFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return cached(numberFormats, language, options, () => new Intl.NumberFormat(LOCALES[language], options));
}

function cached<T>(cache: Map<string, T>, language: Language, options: object, create: () => T): T {
  const key = `${language} ${JSON.stringify(options)}`;
  const found = cache.get(key);
  if (found !== undefined) return found;
  const created = create();
  cache.set(key, created);
  return created;
}

/** Intl keeps every digit of a decimal text; TypeScript only knows texts that it can see are numbers. */
function exact(text: string): Intl.StringNumericLiteral {
  return text as Intl.StringNumericLiteral; // decimal texts of the contract, checked there by decimalSchema
}

export interface AmountFormat {
  /** Digits after the separator, always as many unless trimmed. */
  digits: number;
  /** Leaves out zeros at the end, for amounts in a sentence. */
  isTrimmed?: boolean;
  /** Says + or - in front, for gains and losses. */
  isSigned?: boolean;
}

/**
 * A decimal text for reading, cut after `digits` so that a balance never shows more than is there.
 * What is above zero and too small for the digits shows as "<0.0001".
 */
export function formatAmount(
  text: string | null | undefined,
  { digits, isTrimmed = false, isSigned }: AmountFormat,
  language: Language,
): string {
  if (text === null || text === undefined) return UNKNOWN;
  const format = numberFormat(language, {
    minimumFractionDigits: isTrimmed ? 0 : digits,
    maximumFractionDigits: digits,
    roundingMode: 'trunc',
    signDisplay: isSigned ? 'exceptZero' : 'negative',
  });
  if (!isBelow(text, digits)) return format.format(exact(text));
  const smallest = digits === 0 ? '1' : `0.${'0'.repeat(digits - 1)}1`;
  return text.startsWith('-')
    ? `>${format.format(exact(`-${smallest}`))}`
    : `<${format.format(exact(smallest))}`;
}

/** Whether a number that is not zero has only zeros in its first `digits` decimals. */
function isBelow(text: string, digits: number): boolean {
  const [whole = '', fraction = ''] = text.split('.');
  return (
    /^-?0*$/.test(whole) && /^0*$/.test(fraction.slice(0, digits)) && /[1-9]/.test(fraction.slice(digits))
  );
}

/** All digits of a decimal text, in the reader's separators. */
export function formatExact(text: string, language: Language): string {
  return numberFormat(language, { maximumFractionDigits: 20 }).format(exact(text));
}

/** A whole count. */
export function formatCount(count: number, language: Language): string {
  return numberFormat(language, {}).format(count);
}

/** Percent points, "1.5" for one and a half percent; Turkish puts the sign first. */
export function formatPercent(text: string, language: Language): string {
  const options = { style: 'unit', unit: 'percent', maximumFractionDigits: 2 } as const;
  return numberFormat(language, options).format(exact(text));
}

export type DateStyle = 'date' | 'date-time' | 'time';

const DATE_STYLES: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  date: { dateStyle: 'medium' },
  'date-time': { dateStyle: 'medium', timeStyle: 'short' },
  time: { timeStyle: 'medium' },
};

/** A moment in the reader's own time zone; undefined when the text is no date. */
export function formatDate(iso: string, style: DateStyle, language: Language): string | undefined {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return undefined;
  const options = DATE_STYLES[style];
  return cached(
    dateFormats,
    language,
    options,
    () => new Intl.DateTimeFormat(LOCALES[language], options),
  ).format(date);
}

/** The first `head` and last `tail` characters of an address, signature or id. */
export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}

/** Dollars of a decimal text, with 2 to 6 digits after the separator (spec §9). */
export function formatUsd(
  text: string | null | undefined,
  language: Language,
  [minimumFractionDigits, maximumFractionDigits]: readonly [number, number] = [2, 6],
): string {
  if (text === null || text === undefined) return UNKNOWN;
  return numberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits,
    maximumFractionDigits,
  }).format(exact(text));
}

/** A token amount in short: K from 1,000, M from 1,000,000 (spec §9), two digits after the separator. */
export function formatShort(text: string | null | undefined, language: Language): string {
  if (text === null || text === undefined) return UNKNOWN;
  const whole = /^-?0*(\d*)/.exec(text)?.[1] ?? '';
  const [places, letter] = whole.length > 6 ? [6, 'M'] : whole.length > 3 ? [3, 'K'] : [0, ''];
  if (places === 0) return formatAmount(text, { digits: 4, isTrimmed: true }, language);
  return formatAmount(shifted(text, places), { digits: 2, isTrimmed: true }, language) + letter;
}

/** A decimal text with its point so many places further left. */
function shifted(text: string, places: number): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = whole.padStart(places + 1, '0');
  const point = digits.length - places;
  return `${text.startsWith('-') ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}${fraction}`;
}
