// The languages that Convolve speaks to people in. The command line says errors and notes in them, and all else in English.

export type Language = 'en' | 'zh-CN';

/** The language of a POSIX environment: its first of LC_ALL, LC_MESSAGES and LANG that is set. */
export function environmentLanguage(environment: Readonly<Record<string, string | undefined>>): Language {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  return /^zh\b|^zh_/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh-CN' : 'en';
}
