import type { ChartRange } from '@kervan/contract';

const DAY_MS = 86_400_000;
const DAYS = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 } as const;

/** When a chart's range begins. */
export function rangeStart(range: ChartRange, now: Date): Date {
  return range === 'all' ? new Date(0) : new Date(now.getTime() - DAYS[range] * DAY_MS);
}
