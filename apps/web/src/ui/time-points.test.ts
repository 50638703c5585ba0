import { afterEach, expect, test, vi } from 'vitest';
import { axisStep, chartTime, toTimePoints } from './time-points.ts';

afterEach(() => vi.restoreAllMocks());

test('points are in the order of time, and of several in one second only the last is kept', () => {
  expect(
    toTimePoints([
      { at: '2026-11-21T10:00:05.000Z', value: '2' },
      { at: '2026-11-21T10:00:01.100Z', value: '1.5' },
      { at: '2026-11-21T10:00:01.900Z', value: '-0.000000001' },
    ]),
  ).toEqual([
    { time: Date.UTC(2026, 10, 21, 10, 0, 1) / 1000, value: -1e-9 },
    { time: Date.UTC(2026, 10, 21, 10, 0, 5) / 1000, value: 2 },
  ]);
});

test('a chart’s clock is the reader’s, and a day keeps its name everywhere', () => {
  const offset = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-180);
  expect(chartTime('2026-11-21T22:30:00.000Z')).toBe(Date.UTC(2026, 10, 22, 1, 30) / 1000);
  expect(chartTime('2026-11-21')).toBe(Date.UTC(2026, 10, 21) / 1000);
  offset.mockReturnValue(300);
  expect(chartTime('2026-11-21')).toBe(Date.UTC(2026, 10, 21) / 1000);
});

test('an axis tells apart thousandths of what it shows, however small that is', () => {
  const stepOf = (...values: number[]) => axisStep(values.map((value, time) => ({ time, value })));
  expect(stepOf(0.006_686_7, 0.006_686_7)).toBeCloseTo(1e-6, 12);
  expect(stepOf(-250, 9)).toBeCloseTo(0.1, 12);
  expect(stepOf(0, 0)).toBe(1);
});
