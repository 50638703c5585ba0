import { expect, test } from 'vitest';
import { detectLanguage } from './language.ts';

test('what was chosen before comes first, then the browser, then the page, then Turkish', () => {
  expect(detectLanguage('en', ['tr-TR'], 'tr')).toBe('en');
  expect(detectLanguage(null, ['de-DE', 'en-GB'], 'tr')).toBe('en');
  expect(detectLanguage(null, ['de-DE'], 'en')).toBe('en');
  expect(detectLanguage('xx', ['de-DE'], undefined)).toBe('tr');
});
