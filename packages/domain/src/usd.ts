import { formatUnits, parseUnits } from './money.ts';

/** A trade's worth in US dollars is kept in millionths: the most places that are shown. */
export const USD_DECIMALS = 6;
/** Prices are kept with this many places, as many as a stablecoin's quote can have. */
export const PRICE_DECIMALS = 18;

/** A price as decimal text → units of 10^-18 dollars, or undefined if the text is no positive decimal. */
export function parsePrice(text: string): bigint | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '0', fraction = ''] = match;
  const units = parseUnits(`${whole}.${fraction.slice(0, PRICE_DECIMALS).padEnd(1, '0')}`, PRICE_DECIMALS);
  return units !== undefined && units > 0n ? units : undefined;
}

/** native amount × price, in millionths of a dollar, rounded half up. */
export function usdMicros(nativeUnits: bigint, nativeDecimals: number, priceUnits: bigint): bigint {
  return divideRounded(
    nativeUnits * priceUnits,
    10n ** BigInt(nativeDecimals + PRICE_DECIMALS - USD_DECIMALS),
  );
}

/** US dollars for one token as exact decimal text of at most 18 places, rounded half up; null for no tokens. */
export function tokenPrice(trade: {
  readonly nativeUnits: bigint;
  readonly nativeDecimals: number;
  readonly nativePriceUnits: bigint;
  readonly tokenUnits: bigint;
  readonly tokenDecimals: number;
}): string | null {
  if (trade.tokenUnits === 0n) return null;
  const units = divideRounded(
    trade.nativeUnits * trade.nativePriceUnits * 10n ** BigInt(trade.tokenDecimals),
    trade.tokenUnits * 10n ** BigInt(trade.nativeDecimals),
  );
  return formatUnits(units, PRICE_DECIMALS);
}

function divideRounded(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}

/** The least and the most that a bigint column holds. */
const MOST_MICROS = 2n ** 63n - 1n;

/** A trade's worth as it is stored; more than the column holds is no amount of money. */
export function storableMicros(micros: bigint): bigint {
  if (micros > MOST_MICROS) return MOST_MICROS;
  return micros < -MOST_MICROS ? -MOST_MICROS : micros;
}

/** A decimal text as a bound of stored worths: rounded up for the least, down for the most. */
export function microsBound(text: string, kind: 'least' | 'most'): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const size = BigInt(whole + fraction.slice(0, USD_DECIMALS).padEnd(USD_DECIMALS, '0'));
  const truncated = sign === '-' ? -size : size;
  const hasRest = /[1-9]/.test(fraction.slice(USD_DECIMALS));
  const isTowardsZero = (kind === 'least') === (sign === '-');
  if (!hasRest || isTowardsZero) return storableMicros(truncated);
  return storableMicros(kind === 'least' ? truncated + 1n : truncated - 1n);
}
