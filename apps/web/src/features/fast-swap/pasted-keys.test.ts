import { expect, test } from 'vitest';
import { readPastedKeys } from './pasted-keys.ts';

const one = '1'.repeat(64);
const two = 'Ab'.repeat(32);

test('keys are read one a line, with or without 0x', () => {
  expect(readPastedKeys(`${one}\r\n  0x${two}  \n\n`)).toEqual({
    keys: [`0x${one}`, `0x${two.toLowerCase()}`],
    invalidLines: 0,
  });
});

test('lines that are no key are dropped and counted', () => {
  expect(readPastedKeys(`${one.slice(1)}\nhello\n0x${one}\n${one}0`)).toEqual({
    keys: [`0x${one}`],
    invalidLines: 3,
  });
});

test('a key that stands there twice trades once', () => {
  expect(readPastedKeys(`${two}\n0x${two.toLowerCase()}`).keys).toHaveLength(1);
});

test('nothing pasted is no key and no fault', () => {
  expect(readPastedKeys(' \n ')).toEqual({ keys: [], invalidLines: 0 });
});
