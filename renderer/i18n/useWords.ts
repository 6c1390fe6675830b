// The translating hook of the page, with keys that may be put together at run time (a test finds every key that is used).

import { useTranslation } from 'react-i18next';
import type { Language } from '../../core/language';

/** Puts a key of the catalogue into the present language. */
export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

export interface Words {
  readonly t: Translate;
  readonly language: Language;
}

export function useWords(): Words {
  const { t, i18n } = useTranslation();
  return { t: t as unknown as Translate, language: i18n.language === 'zh-CN' ? 'zh-CN' : 'en' };
}
