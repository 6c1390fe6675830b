// What code does not do as the filter does, in the words of the page.

import type { CodeLoss } from '../../core/kernelCode';
import type { Translate } from '../i18n/useWords';

export function codeLossText(loss: CodeLoss, t: Translate): string {
  switch (loss.kind) {
    case 'border':
      return t('codeLoss.border', { wanted: t(`border.${loss.wanted}`), used: loss.used });
    case 'range':
      return t('codeLoss.range', { wanted: t(`range.${loss.wanted}`) });
    case 'weights':
      return t('codeLoss.weights', { count: loss.count, limit: loss.limit });
    default:
      return t(`codeLoss.${loss.kind}`);
  }
}
