import { expect, test } from 'vitest';
import { z } from 'zod';
import { uuidv7 } from './ids.ts';

test('ids are UUIDs of version 7, never the same, and sort by their time', () => {
  const ids = Array.from({ length: 1000 }, (_, index) => uuidv7(1_800_000_000_000 + index));
  expect(ids.every((id) => z.uuidv7().safeParse(id).success)).toBe(true);
  expect(new Set(ids).size).toBe(1000);
  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids);
});
