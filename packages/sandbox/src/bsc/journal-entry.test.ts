import fc from 'fast-check';
import { bytesToHex } from 'viem';
import { expect, it } from 'vitest';
import { decodeEntry, encodeEntry } from './journal-entry.ts';

const raw = fc.uint8Array({ minLength: 1 }).map((bytes) => bytesToHex(bytes));
const entries = fc.oneof(
  fc.record({ kind: fc.constant('send' as const), raw }),
  fc.record({ kind: fc.constant('requeue' as const), raw }),
  fc.record({ kind: fc.constant('block' as const), timestamp: fc.integer({ min: 0, max: 2 ** 32 - 1 }) }),
);

it('reads back any journal entry it wrote', () => {
  fc.assert(
    fc.property(entries, (entry) => {
      expect(decodeEntry(Buffer.from(encodeEntry(entry)))).toEqual(entry);
    }),
  );
});

it('refuses an entry of a kind it does not know', () => {
  expect(() => decodeEntry(Buffer.of(9, 1, 2))).toThrow('Unknown kind of journal entry: 9');
});
