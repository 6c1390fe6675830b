// What a text does not do as the filter does, what its comments say, and what was noticed while one was read, in the words of
// the page.

import type { CodeLoss, CodeWords } from '../../core/codeText';
import type { KernelNote } from '../../core/formats';
import type { FormatLoss } from '../../core/interchange/write';
import type { Translate } from '../i18n/useWords';
import { formatNumber } from '../ui/numberText';

export function lossWords(loss: CodeLoss | FormatLoss, t: Translate): string {
  switch (loss.kind) {
    case 'border':
      return 'wanted' in loss
        ? t('codeLoss.border', { wanted: t(`border.${loss.wanted}`), used: t(`border.${loss.used}`) })
        : t('codeLoss.borderOnly', { used: loss.used });
    case 'range':
      return t('codeLoss.range', { wanted: t(`range.${loss.wanted}`) });
    case 'weights':
    case 'cells':
      return t(`codeLoss.${loss.kind}`, { count: loss.count, limit: loss.limit });
    case 'absent':
      return t('codeLoss.absent', { count: loss.count });
    case 'anchor':
      return t('codeLoss.anchor', { x: loss.x, y: loss.y });
    case 'divisor':
    case 'bias':
      return t(`codeLoss.${loss.kind}`, { value: formatNumber(loss.value, 12) });
    case 'rounding':
      return t('codeLoss.rounding', { error: formatNumber(loss.largestError, 3) });
    default:
      return t(`codeLoss.${loss.kind}`);
  }
}

export function noteWords(note: KernelNote, t: Translate): string {
  const { kind } = note;
  const count = 'cells' in note ? note.cells : 'count' in note ? note.count : 0;
  return t(`kernelNote.${kind}`, { count });
}

/** The words of code's comments, in the page's language. */
export const codeWords = (t: Translate): CodeWords => ({
  comment: (comment, values) => t(`codeComment.${comment}`, values),
  border: (kind) => t(`border.${kind}`),
  notKept: (loss) => t('codeComment.notKept', { loss: lossWords(loss, t) }),
});
