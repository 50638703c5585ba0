import { KervanError } from '@kervan/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('no window has more than its turns, whenever they are asked for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }),
      (max, pauses) => {
        let now = 0;
        const takeTurn = createTurns(max, 1000, () => now);
        const turns = pauses.flatMap((pause) => {
          now += pause;
          return turnOrRefusal(() => takeTurn('a'));
        });
        const gaps = turns.slice(max).map((turn, index) => turn - (turns[index] ?? 0));
        expect(gaps.filter((gap) => gap < 1000)).toEqual([]);
      },
    ),
  );
});

function turnOrRefusal(take: () => number): number[] {
  try {
    return [take()];
  } catch (error) {
    if (error instanceof KervanError && error.code === 'RATE_LIMITED') return [];
    throw error;
  }
}

test('keys don’t wait for each other', () => {
  const takeTurn = createTurns(1, 1000, () => 0);
  expect([takeTurn('a'), takeTurn('b'), takeTurn('a')]).toEqual([0, 0, 1000]);
});

test('a flood is refused and not queued for ever', () => {
  const takeTurn = createTurns(10, 1000, () => 0);
  for (let count = 0; count < 40; count += 1) takeTurn('a');
  expect(() => takeTurn('a')).toThrow('Rate limited - too many requests');
});
