import { expect, test } from 'vitest';
import { parseExactJson } from './exact-json.ts';

test('whole numbers that a number can’t hold are text, all others stay numbers', () => {
  const text =
    '{"rentEpoch":18446744073709551615,"lamports":9007199254740993,"slot":7,"share":0.5,"big":1e300}';
  expect(parseExactJson(text)).toEqual({
    rentEpoch: '18446744073709551615',
    lamports: '9007199254740993',
    slot: 7,
    share: 0.5,
    big: 1e300,
  });
});
