// The page's own words for the comments of code, in either language.

import i18next from 'i18next';
import type { CodeWords } from '../../../core/codeText';
import type { Language } from '../../../core/language';
import { codeWords } from '../../../renderer/code/codeLossText';
import { chinese } from '../../../renderer/i18n/chinese';
import { english } from '../../../renderer/i18n/english';
import type { Translate } from '../../../renderer/i18n/useWords';

export function codeWordsOf(language: Language): CodeWords {
  const translation = i18next.createInstance();
  void translation.init({
    lng: language,
    resources: { en: { translation: english }, 'zh-CN': { translation: chinese } },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return codeWords(translation.t as unknown as Translate);
}

export const englishWords = codeWordsOf('en');
