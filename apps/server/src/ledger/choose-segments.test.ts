import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseSegments } from './choose-segments.ts';

test('the chosen segments hold exactly the asked stretch of all matches, and none of them in vain', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 30 });
  fc.assert(
    fc.property(sizes, fc.nat(200), fc.integer({ min: 1, max: 50 }), (matches, offset, limit) => {
      const segments = matches.map((count, index) => ({ blockId: BigInt(index), matches: count }));
      const expand = (some: readonly { blockId: bigint | null; matches: number }[]) =>
        some.flatMap(({ blockId, matches: count }) =>
          Array.from({ length: count }, (_, index) => `${blockId}:${index}`),
        );
      const chosen = chooseSegments(segments, offset, limit);
      const wanted = expand(segments).slice(offset, offset + limit);
      expect(expand(chosen.segments).slice(chosen.skip, chosen.skip + limit)).toEqual(wanted);
      const needed = new Set(wanted.map((each) => each.split(':')[0]));
      expect(chosen.segments).toHaveLength(needed.size);
    }),
  );
});

test('nothing is chosen for a page of nothing', () => {
  expect(chooseSegments([{ blockId: null, matches: 5 }], 0, 0).segments).toEqual([]);
});
