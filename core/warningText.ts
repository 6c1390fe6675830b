// What a person should know about a picture that opened all the same, as data, and the sentences in English and 简体中文.

import { assertNever } from './errors';
import type { Language } from './language';

export type PictureWarning =
  /** Damaged or cut short: what could be read is shown. */
  | { readonly kind: 'notWhole' }
  | { readonly kind: 'onePageOnly'; readonly page: number; readonly pages: number }
  | { readonly kind: 'convertedFromCmyk' }
  /** 32-bit integers, which have become floats. */
  | { readonly kind: 'convertedFromIntegers' }
  /** Samples that were not finite numbers. */
  | { readonly kind: 'samplesReplaced'; readonly count: number }
  /** The picture of a project is another file than when it was saved. */
  | { readonly kind: 'changedSinceSaved' }
  /** A page of a file that is another one than when its first shown page was opened. */
  | { readonly kind: 'changedSinceOpened' };

/** One or two sentences about the picture; the file is named by who shows them. */
export function warningText(warning: PictureWarning, language: Language = 'en'): string {
  const english = language === 'en';
  switch (warning.kind) {
    case 'notWhole':
      return english
        ? 'The file is damaged or cut short. What could be read is shown.'
        : '文件已损坏或不完整，显示的是能读取的部分。';
    case 'onePageOnly':
      return english
        ? `The file holds ${warning.pages} pages or frames. Number ${warning.page} is open; an export holds only that one.`
        : `文件含有 ${warning.pages} 页或帧。打开的是第 ${warning.page} 页，导出也只含这一页。`;
    case 'convertedFromCmyk':
      return english ? 'The picture was CMYK and has been converted to sRGB.' : '图片原为 CMYK，已转换为 sRGB。';
    case 'convertedFromIntegers':
      return english
        ? 'The samples were 32-bit integers and have been converted to 32-bit floats.'
        : '样本原为 32 位整数，已转换为 32 位浮点。';
    case 'samplesReplaced':
      return english
        ? `${warning.count} samples were not numbers and have been replaced.`
        : `有 ${warning.count} 个样本不是数字，已被替换。`;
    case 'changedSinceSaved':
      return english ? 'The picture has changed since the project was saved.' : '项目保存之后，图片已被更改。';
    case 'changedSinceOpened':
      return english
        ? 'The file has changed since it was opened. The page is of what it holds now.'
        : '打开之后，文件已被更改。此页来自文件现在的内容。';
    default:
      return assertNever(warning);
  }
}
