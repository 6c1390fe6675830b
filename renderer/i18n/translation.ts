// Sets up i18next with the page's two languages and chooses one: the person's setting, else the system's.

import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Settings } from '../../core/ipc';
import type { Language } from '../../core/language';
import { chinese } from './chinese';
import { english } from './english';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof english };
  }
}

/** The language for a setting and a system locale such as `zh-Hans-CN`; English where the system's is neither. */
export function chooseLanguage(setting: Settings['language'], systemLocale: string): Language {
  if (setting !== 'system') return setting;
  return /^zh\b/i.test(systemLocale) ? 'zh-CN' : 'en';
}

export const translation = i18next.createInstance();

export function startTranslation(language: Language): void {
  void translation.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: english }, 'zh-CN': { translation: chinese } },
    interpolation: { escapeValue: false },
    initAsync: false,
    showSupportNotice: false,
  } as Parameters<typeof translation.init>[0]);
}

export function showLanguage(language: Language): void {
  if (translation.language === language) return;
  void translation.changeLanguage(language);
}
