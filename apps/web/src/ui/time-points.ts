import type { Action } from '@kervan/contract';

/** A value for the eye: a chart's pixels need no more digits than a number has. */
export interface TimePoint {
  /** Seconds since 1970. */
  readonly time: number;
  readonly value: number;
}

export interface TradeMark {
  readonly time: number;
  readonly action: Action;
}

/** Points in the order of time, one a second: of several in the same second the last. */
export function toTimePoints(
  points: readonly { readonly at: string; readonly value: string }[],
): TimePoint[] {
  const bySecond = new Map<number, number>();
  for (const { at, value } of points) bySecond.set(Math.floor(Date.parse(at) / 1000), Number(value));
  return [...bySecond].map(([time, value]) => ({ time, value })).toSorted((a, b) => a.time - b.time);
}
