import { createInstance } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import type { Language } from '@kervan/contract';
import authEn from '../locales/en/auth.json';
import commonEn from '../locales/en/common.json';
import shellEn from '../locales/en/shell.json';
import authTr from '../locales/tr/auth.json';
import commonTr from '../locales/tr/common.json';
import shellTr from '../locales/tr/shell.json';
import { detectLanguage, FALLBACK, LANGUAGE_KEY, LANGUAGES } from './language.ts';

/** What the first screen needs is here; a lazy view brings its own namespace with `addNamespace`. */
export const i18n = createInstance();

export function startI18n(): void {
  void i18n.use(initReactI18next).init({
    lng: detectLanguage(
      localStorage.getItem(LANGUAGE_KEY),
      navigator.languages,
      document.documentElement.lang,
    ),
    fallbackLng: FALLBACK,
    supportedLngs: [...LANGUAGES],
    defaultNS: 'common',
    ns: ['common'],
    resources: {
      tr: { auth: authTr, common: commonTr, shell: shellTr },
      en: { auth: authEn, common: commonEn, shell: shellEn },
    },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  const follow = (): void => {
    document.documentElement.lang = i18n.language;
  };
  follow();
  i18n.on('languageChanged', follow);
}

/** Adds a feature's texts; call it where the feature's module is loaded, before its components render. */
export function addNamespace(name: string, texts: Record<Language, object>): void {
  for (const language of LANGUAGES) i18n.addResourceBundle(language, name, texts[language]);
}

export function setLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE_KEY, language);
  void i18n.changeLanguage(language);
}

/** The language on the screen; re-renders when it changes. */
export function useLanguage(): Language {
  const { i18n: current } = useTranslation();
  return LANGUAGES.find((language) => language === current.language) ?? FALLBACK;
}
