import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;

function textsOf(language: 'en' | 'tr', namespace: string): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string') texts.set(path, value);
    else
      for (const [key, part] of Object.entries(value as object))
        walk(part, path === '' ? key : `${path}.${key}`); // JSON of objects and texts
  };
  walk(JSON.parse(readFileSync(join(folder, language, namespace), 'utf8')), '');
  return texts;
}

const placeholders = (text: string) =>
  new Set([...text.matchAll(/\{\{\s*([\w.]+)[^}]*\}\}/g)].map((match) => match[1]));

test('both languages have the same namespaces', () => {
  expect(readdirSync(join(folder, 'tr'))).toEqual(readdirSync(join(folder, 'en')));
});

test.each(readdirSync(join(folder, 'en')))('%s says the same in both languages', (namespace) => {
  const en = textsOf('en', namespace);
  const tr = textsOf('tr', namespace);
  expect([...tr.keys()]).toEqual([...en.keys()]);
  for (const [key, text] of en) {
    expect(text.trim(), key).not.toBe('');
    expect(tr.get(key)?.trim(), key).not.toBe('');
    expect(placeholders(tr.get(key) ?? ''), key).toEqual(placeholders(text));
  }
});
