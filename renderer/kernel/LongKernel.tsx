// A kernel too large for a grid, as the curves of its rows and columns.

import { maximumKernelSize } from '../../core/kernel';
import type { SeparableWeights } from '../../core/pass';
import { useWords } from '../i18n/useWords';
import { formatNumber } from '../ui/numberText';
import { curvePoints, type LineOfKernel, linesOf } from './longKernelLines';
import './longKernel.css';

const curveWidth = 240;
const curveHeight = 56;

export function LongKernel({ weights }: { readonly weights: SeparableWeights }) {
  const { t } = useWords();
  const { width, height } = weights;
  return (
    <div className="long-kernel" data-testid="long-kernel">
      <p className="kernel-caption">{t('kernel.long', { width, height, size: maximumKernelSize })}</p>
      {linesOf(weights).map((line) => (
        <Curve key={`${line.kind} ${line.pair}`} line={line} />
      ))}
    </div>
  );
}

function Curve({ line }: { readonly line: LineOfKernel }) {
  const { t } = useWords();
  const { values } = line;
  const name = t(`kernel.longLine.${line.kind}`, { index: line.pair });
  const range = t('kernel.longRange', {
    count: values.length,
    smallest: formatNumber(Math.min(...values), 3),
    largest: formatNumber(Math.max(...values), 3),
  });
  return (
    <figure className="long-kernel-figure">
      <svg
        viewBox={`0 0 ${curveWidth} ${curveHeight}`}
        className="long-kernel-curve"
        role="img"
        aria-label={`${name}: ${range}`}
      >
        <polyline points={curvePoints(values, curveWidth, curveHeight)} />
      </svg>
      <figcaption className="kernel-caption">
        {name}: {range}
      </figcaption>
    </figure>
  );
}
