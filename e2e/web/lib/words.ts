import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Language } from '@kervan/contract';

export type Values = Readonly<Record<string, string | number>>;

export interface Words {
  /** What the app says: `words.of('bots:card.next', { clock: '0:30' })`. Throws for an unknown key. */
  readonly of: (key: string, values?: Values) => string;
  /** A pattern of the same in which any value stands that is not given. */
  readonly like: (key: string, values?: Values) => RegExp;
}

const LOCALES = fileURLToPath(new URL('../../../apps/web/src/locales', import.meta.url));
/** In no text, and no special character of patterns. */
const ANYTHING = '\u0000';

/** The app's own texts, so that a test finds on the screen what the app means to say there. */
export function wordsIn(language: Language): Words {
  const folder = `${LOCALES}/${language}`;
  const namespaces: ReadonlyMap<string, unknown> = new Map(
    readdirSync(folder).map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')),
    ]),
  );
  const plurals = new Intl.PluralRules(language);

  function of(key: string, values: Values = {}): string {
    const [namespace = '', path = ''] = key.split(':');
    const { count } = values;
    const plural = typeof count === 'number' ? `_${plurals.select(count)}` : '';
    const text = `${path}${plural}`
      .split('.')
      .reduce<unknown>(
        (node, name) => (typeof node === 'object' && node !== null ? Reflect.get(node, name) : undefined),
        namespaces.get(namespace),
      );
    if (typeof text !== 'string') throw new Error(`no text ${key} in ${language}`);
    return text.replaceAll(/\{\{(\w+)[^}]*\}\}/g, (_, name: string) => String(values[name] ?? ANYTHING));
  }

  return {
    of,
    like: (key, values) =>
      new RegExp(
        of(key, values)
          .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
          .replaceAll(ANYTHING, '.+?'),
      ),
  };
}
