// The languages that Convolve speaks to people in. The command line speaks English.

export type Language = 'en' | 'zh-CN';
