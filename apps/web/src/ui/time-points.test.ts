import { expect, test } from 'vitest';
import { toTimePoints } from './time-points.ts';

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
