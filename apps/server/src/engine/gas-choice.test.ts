import type { GasChoice } from '@kervan/chains';
import { expect, test } from 'vitest';
import { readGasChoice, storedGasChoice } from './gas-choice.ts';

test.each<GasChoice>(['standard', 'fast', 'instant', 100_000_000n, 100_000_000_000n])(
  'what is kept of %s is read back as it was chosen',
  (choice) => expect(readGasChoice(storedGasChoice(choice))).toBe(choice),
);

test('a trade whose gas nobody chose keeps nothing', () => {
  expect(storedGasChoice(null)).toBeNull();
  expect(readGasChoice(null)).toBeUndefined();
});
