import type { Language } from '@kervan/contract';

export const LANGUAGES = ['tr', 'en'] as const satisfies readonly Language[];
export const FALLBACK: Language = 'tr';
export const LANGUAGE_KEY = 'language';

/** Detection order of spec §9: what was chosen before, then the browser's languages, then the page's own. */
export function detectLanguage(
  stored: string | null,
  preferred: readonly string[],
  page: string | undefined,
): Language {
  for (const tag of [stored, ...preferred, page]) {
    const primary = tag?.toLowerCase().split('-')[0];
    const language = LANGUAGES.find((known) => known === primary);
    if (language !== undefined) return language;
  }
  return FALLBACK;
}
