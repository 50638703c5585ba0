import type { Action } from '@kervan/contract';

/** A value for the eye: a chart's pixels need no more digits than a number has. */
export interface TimePoint {
  /** As `chartTime` gives it. */
  readonly time: number;
  readonly value: number;
}

export interface TradeMark {
  readonly time: number;
  readonly action: Action;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * The seconds at which a chart shows a moment: it knows only UTC, so that its clock is the reader's when the seconds are
 * moved by the reader's zone. A day is shown as what it is called.
 */
export function chartTime(at: string): number {
  const date = new Date(at);
  const offsetMinutes = DAY.test(at) ? 0 : date.getTimezoneOffset();
  return Math.floor(date.getTime() / 1000) - offsetMinutes * 60;
}

/** A power of ten, some thousandths of the greatest value: what a chart's axis need not tell apart. */
export function axisStep(points: readonly TimePoint[]): number {
  const greatest = Math.max(...points.map(({ value }) => Math.abs(value)));
  return greatest > 0 ? 10 ** (Math.floor(Math.log10(greatest)) - 3) : 1;
}

/** Points in the order of time, one a second: of several in the same second the last. */
export function toTimePoints(
  points: readonly { readonly at: string; readonly value: string }[],
): TimePoint[] {
  const bySecond = new Map<number, number>();
  for (const { at, value } of points) bySecond.set(chartTime(at), Number(value));
  return [...bySecond].map(([time, value]) => ({ time, value })).toSorted((a, b) => a.time - b.time);
}
