import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskKey, maskUrl } from './mask.ts';

test('a key shows its first and last 4 characters', () => {
  expect(maskKey('abcd1234-5678-9xyz')).toBe('abcd…9xyz');
});

test('never more than half of a key is shown', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (key) => {
      const shown = maskKey(key).replace('…', '').length;
      expect(shown * 2).toBeLessThanOrEqual(key.length);
    }),
  );
});

test('an address shows where its node is and nothing that may be a key', () => {
  expect(maskUrl('http://127.0.0.1:8545')).toBe('http://127.0.0.1:8545');
  expect(maskUrl('https://node.example/')).toBe('https://node.example');
  expect(maskUrl('https://node.example/v2/secret')).toBe('https://node.example/…');
  expect(maskUrl('https://node.example/?key=secret')).toBe('https://node.example/…');
});
