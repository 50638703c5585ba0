import type { Language } from '@kervan/contract';

const languages: readonly Language[] = ['en', 'tr'];

/** The language the caller likes best of those we speak (RFC 9110, Accept-Language); English when it says none. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  let best: { language: Language; weight: number } = { language: 'en', weight: 0 };
  for (const range of (acceptLanguage ?? '').split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const language = languages.find((known) => tag === known || tag.startsWith(`${known}-`));
    if (language === undefined) continue;
    const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
    const weight = quality === undefined ? 1 : Number(quality);
    if (weight > best.weight) best = { language, weight };
  }
  return best.language;
}
