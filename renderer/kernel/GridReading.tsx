// Under the grid: the weight of one cell, or the size of all; their sum and the largest magnitude.

import { type Kernel, sumOf } from '../../core/kernel';
import type { CellPlace } from '../../core/kernelPainting';
import { useWords } from '../i18n/useWords';
import { formatNumber } from '../ui/numberText';
import { peakOf } from './heat';

interface GridReadingProps {
  readonly kernel: Kernel;
  readonly cell: CellPlace;
  readonly showsCell: boolean;
}

export function GridReading({ kernel: { width, height, weights }, cell: { x, y }, showsCell }: GridReadingProps) {
  const { t } = useWords();
  const weight = formatNumber(weights[y * width + x] ?? 0, 8);
  return (
    <div className="kernel-reading" data-testid="kernel-reading">
      <span>
        {t(showsCell ? 'grid.readingAt' : 'grid.readingSize', { row: y + 1, column: x + 1, weight, width, height })}
      </span>
      <span>
        {t('grid.readingSums', { sum: formatNumber(sumOf(weights), 5), peak: formatNumber(peakOf(weights), 4) })}
      </span>
    </div>
  );
}
