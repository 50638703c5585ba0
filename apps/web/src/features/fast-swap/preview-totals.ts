import type { FastSwapPreviewLeg } from '@kervan/contract';
import { sumDecimals } from '../../lib/decimal.ts';

export interface PreviewTotals {
  /** Legs that would trade, and those that would not. */
  readonly trading: number;
  readonly failing: number;
  readonly amountIn: string;
  readonly expectedOut: string;
  readonly minimumOut: string;
  readonly fee: string;
  readonly tip: string;
  readonly rent: string;
  /** Of the leg that moves the price most; null where the venue does not tell. */
  readonly priceImpactBps: number | null;
}

/** What the legs that would trade come to together. */
export function totalsOf(legs: readonly FastSwapPreviewLeg[]): PreviewTotals {
  const trading = legs.filter((leg) => leg.error === null);
  const sum = (field: 'amountIn' | 'expectedOut' | 'minimumOut' | 'fee' | 'tip' | 'rent') =>
    sumDecimals(trading.map((leg) => leg[field] ?? '0'));
  const impacts = trading.flatMap(({ priceImpactBps }) => (priceImpactBps === null ? [] : [priceImpactBps]));
  return {
    trading: trading.length,
    failing: legs.length - trading.length,
    amountIn: sum('amountIn'),
    expectedOut: sum('expectedOut'),
    minimumOut: sum('minimumOut'),
    fee: sum('fee'),
    tip: sum('tip'),
    rent: sum('rent'),
    priceImpactBps: impacts.length === 0 ? null : Math.max(...impacts),
  };
}

export type Severity = 'low' | 'warning' | 'high';

const WARNING_BPS = 100;
const HIGH_BPS = 300;

export function severityOf(priceImpactBps: number | null): Severity {
  if (priceImpactBps === null || priceImpactBps < WARNING_BPS) return 'low';
  return priceImpactBps < HIGH_BPS ? 'warning' : 'high';
}
