// The column and row vectors of the first pairs as small curves, one colour a pair.

import type { RankPair } from '../../core/pass';
import { useWords } from '../i18n/useWords';

/** Pairs that are drawn: later ones are small, and more colours could not be told apart. */
const drawnPairs = 4;
const width = 166;
const height = 60;

export function PairCurves({ pairs }: { readonly pairs: readonly RankPair[] }) {
  const { t } = useWords();
  const shown = pairs.slice(0, drawnPairs);
  return (
    <div className="pair-curves">
      {(['column', 'row'] as const).map((side) => (
        <figure key={side}>
          <figcaption className="kernel-caption">{t(`rank.${side}`)}</figcaption>
          <Curves lines={shown.map((pair) => pair[side])} label={t(`rank.${side}`)} />
        </figure>
      ))}
      <p className="pair-legend">
        {shown.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the k-th pair is the k-th entry
          <span key={index} className={`pair-key pair-${index}`}>
            {t('rank.pair', { index: index + 1 })}
          </span>
        ))}
        {pairs.length > drawnPairs && <span>{t('rank.more', { count: pairs.length - drawnPairs })}</span>}
      </p>
    </div>
  );
}

interface CurvesProps {
  readonly lines: readonly Float64Array[];
  readonly label: string;
}

function Curves({ lines, label }: CurvesProps) {
  const all = lines.flatMap((line) => Array.from(line));
  const low = Math.min(0, ...all);
  const high = Math.max(0, ...all);
  const span = high - low || 1;
  const y = (value: number) => 3 + ((high - value) / span) * (height - 6);
  const points = (line: Float64Array) =>
    Array.from(line, (value, index) => {
      const x = line.length === 1 ? width / 2 : 3 + (index / (line.length - 1)) * (width - 6);
      return `${x.toFixed(1)},${y(value).toFixed(1)}`;
    });
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="pair-plot" role="img" aria-label={label}>
      <line className="plot-grid" x1="0" x2={width} y1={y(0)} y2={y(0)} />
      {lines.map((line, index) => {
        const places = points(line);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the k-th pair is the k-th line
          <polyline key={index} className={`pair-line pair-${index}`} points={[...places, places.at(-1)].join(' ')} />
        );
      })}
    </svg>
  );
}
