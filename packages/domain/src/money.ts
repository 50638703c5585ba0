/**
 * Amounts are bigints in base units (lamports, wei, token base units); people and JSON see decimal strings.
 * A float never holds an amount. The number of decimals travels with the amount it belongs to.
 */

/** Base units → exact decimal text without exponent or trailing zeros: (1500n, 3) → "1.5". */
export function formatUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Decimal text → base units, or undefined if the text is no decimal or has more digits than the token. */
export function parseUnits(text: string, decimals: number): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '0', fraction = ''] = match;
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) return undefined;
  const units = BigInt(whole + significant.padEnd(decimals, '0'));
  return sign === '-' ? -units : units;
}

/** A typed number's shortest decimal form without exponent: 1e-7 → "0.0000001". */
export function decimalText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('an amount is a finite number');
  const [mantissa = '0', exponentText] = String(value).split('e');
  if (exponentText === undefined) return mantissa;
  const exponent = Number(exponentText);
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '0', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + exponent;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0').slice(0, point)}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
}

/** A typed number → base units, or undefined when the token has too few decimals to hold it. */
export function unitsFromNumber(value: number, decimals: number): bigint | undefined {
  return parseUnits(decimalText(value), decimals);
}

/** amount × (10,000 − bps) / 10,000, rounded down: the least that a slippage tolerance accepts. */
export function minimumAfterSlippage(units: bigint, slippageBps: number): bigint {
  return (units * BigInt(10_000 - slippageBps)) / 10_000n;
}
