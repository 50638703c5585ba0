import type { EnterpriseLog } from './schemas/enterprise.ts';

/** Columns and places of spec §9; the server's file of everything and the web app's of one page are the same text. */
const COLUMNS = [
  'Date',
  'Type',
  'Chain',
  'USD',
  'Token Amount',
  'Native Amount',
  'Price',
  'Maker',
  'Transaction',
];
const USD_PLACES = 2;
const NATIVE_PLACES = 6;
const PRICE_PLACES = 8;

/** "enterprise-logs-2026-11-21.csv", by the UTC date. */
export function enterpriseCsvName(now: Date): string {
  return `enterprise-logs-${now.toISOString().slice(0, 10)}.csv`;
}

export function enterpriseCsvHeader(): string {
  return csvLine(COLUMNS);
}

/** One log as a line of the file. What is not known is an empty field. */
export function enterpriseCsvLine(log: EnterpriseLog): string {
  return csvLine([
    log.date,
    log.type,
    log.chain.toUpperCase(),
    log.usd === null ? '' : roundDecimal(log.usd, USD_PLACES),
    log.tokenAmount,
    roundDecimal(log.chain === 'solana' ? log.solAmount : log.bnbAmount, NATIVE_PLACES),
    log.price === null ? '' : roundDecimal(log.price, PRICE_PLACES),
    log.maker,
    log.txn,
  ]);
}

/** A line of RFC 4180, every field quoted, that no spreadsheet takes for a formula. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

const NUMBER = /^-?\d+(\.\d+)?$/;
/** How a spreadsheet recognises a formula; it skips leading tabs and line ends. */
const FORMULA = /^[=+\-@\t\r\n]/;

function csvField(text: string): string {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** Decimal text with exactly so many places, rounded half away from zero: ("1.005", 2) → "1.01". */
export function roundDecimal(text: string, places: number): string {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const kept = fraction.slice(0, places).padEnd(places, '0');
  const isUp = (fraction[places] ?? '0') >= '5';
  const digits = isUp ? (BigInt(whole + kept) + 1n).toString().padStart(places + 1, '0') : whole + kept;
  const rounded =
    places === 0
      ? digits
      : `${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}`;
  return text.startsWith('-') && /[1-9]/.test(rounded) ? `-${rounded}` : rounded;
}
