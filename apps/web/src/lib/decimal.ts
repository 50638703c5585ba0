import type { Language } from '@kervan/contract';

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

interface Units {
  units: bigint;
  decimals: number;
}

function parse(text: string): Units {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (sign === undefined) throw new TypeError('not a decimal text');
  return { units: BigInt(`${sign}${whole}${fraction}`), decimals: fraction.length };
}

function rescale({ units, decimals }: Units, to: number): bigint {
  return units * 10n ** BigInt(to - decimals);
}

/** The exact sum of decimal texts. */
export function sumDecimals(texts: readonly string[]): string {
  const parts = texts.map(parse);
  const decimals = Math.max(0, ...parts.map((part) => part.decimals));
  const sum = parts.reduce((total, part) => total + rescale(part, decimals), 0n);
  return toText(sum, decimals);
}

/** Negative, zero or positive as `a` is below, the same as or above `b`. */
export function compareDecimals(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  const decimals = Math.max(left.decimals, right.decimals);
  const difference = rescale(left, decimals) - rescale(right, decimals);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

function toText(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * The decimal text that a person means by `1,5`, `1.5`, `1.234,5` or `1,234.5`; undefined when it is none or
 * could mean two things, as `1.234` typed by a Turkish reader, for whom it is a thousand and more.
 */
export function parseDecimalInput(input: string, language: Language): string | undefined {
  const text = input.trim().replaceAll(/[\s\u00a0\u202f]/g, '');
  if (!/^\d*([.,]\d+)*[.,]?\d*$/.test(text) || !/\d/.test(text)) return undefined;
  const separators = [...text.matchAll(/[.,]/g)].map(([separator]) => separator);
  const last = separators.at(-1);
  if (last === undefined) return normalize(text, '');
  const isGrouped = separators.length > 1;
  const grouping = language === 'tr' ? '.' : ',';
  if (!isGrouped) {
    const [whole = '', fraction = ''] = text.split(last);
    const couldBeThousands = last === grouping && fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
    return couldBeThousands ? undefined : normalize(whole, fraction);
  }
  // Several separators: all but the last group thousands, the last one too when it is the same sign.
  const others = new Set(separators.slice(0, -1));
  if (others.size > 1) return undefined;
  const [group = ''] = others;
  const [whole = '', fraction = ''] = group === last ? [text] : text.split(last);
  const groups = whole.split(group);
  const isWellGrouped =
    /^\d{1,3}$/.test(groups[0] ?? '') && groups.slice(1).every((part) => /^\d{3}$/.test(part));
  return isWellGrouped ? normalize(groups.join(''), fraction) : undefined;
}

function normalize(whole: string, fraction: string): string {
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  return fraction === '' ? digits : `${digits}.${fraction}`;
}

/** A number as its reader types it: without grouping and exponent. */
export function typedNumber(value: number, language: Language): string {
  const text = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 20 }).format(
    value,
  );
  return language === 'tr' ? text.replace('.', ',') : text;
}
