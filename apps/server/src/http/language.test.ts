import { expect, test } from 'vitest';
import { preferredLanguage } from './language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de,fr;q=0.8', 'en'],
  ['tr', 'tr'],
  ['TR-tr', 'tr'],
  ['tr-TR,tr;q=0.9,en-US;q=0.8', 'tr'],
  ['en;q=0.3, tr;q=0.4', 'tr'],
  ['en, tr', 'en'],
  ['tr;q=0, en;q=0.1', 'en'],
  ['trk', 'en'],
  ['tr;q=x', 'tr'],
])('Accept-Language %j is answered in %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
