import { expect, test } from 'vitest';
import { deletionWarning } from './deletion-warning.ts';

test.each([
  ['0', 'delete_body_empty'],
  ['0.000000000', 'delete_body_empty'],
  ['0.000000001', 'delete_body_funded'],
  ['12', 'delete_body_funded'],
  [undefined, 'delete_body_unknown'],
])('a wallet that holds %s is asked about with %s', (balance, expected) => {
  expect(deletionWarning(balance)).toBe(expected);
});
