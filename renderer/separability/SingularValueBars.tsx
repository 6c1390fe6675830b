// Singular values as bars on a logarithmic scale, with the tolerance as a line. Hovering or the arrow keys read one exactly.

import { type KeyboardEvent, useState } from 'react';
import { useWords } from '../i18n/useWords';
import { formatNumber } from '../ui/numberText';

const plotWidth = 344;
const plotHeight = 96;
/** Room at the left for the marks of the scale. */
const left = 30;
const top = 6;
const bottom = plotHeight - 4;

interface SingularValueBarsProps {
  readonly values: readonly number[];
  /** Relative to the largest. */
  readonly tolerance: number;
  /** How many of them the shown rank keeps. */
  readonly kept: number;
}

export function SingularValueBars({ values, tolerance, kept }: SingularValueBarsProps) {
  const { t } = useWords();
  const [pointed, setPointed] = useState<number | null>(null);
  const largest = values[0] ?? 0;
  // Down to a decade below the tolerance, and never less than six.
  const decades = Math.min(16, Math.max(6, Math.ceil(-Math.log10(tolerance)) + 1));
  const shareOf = (relative: number) => (relative > 0 ? Math.max(0, 1 + Math.log10(relative) / decades) : 0);
  const heightAt = (relative: number) => bottom - shareOf(relative) * (bottom - top);
  const slot = (plotWidth - left) / Math.max(1, values.length);
  const gap = slot > 6 ? Math.min(4, slot / 5) : 0;
  const index = Math.min(values.length - 1, pointed ?? 0);
  const value = values[index] ?? 0;
  const relative = largest > 0 ? value / largest : 0;
  const words = t('rank.value', {
    index: index + 1,
    value: formatNumber(value, 12),
    share: formatNumber(relative, 4),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: values.length - 1,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setPointed(Math.max(0, Math.min(values.length - 1, next)));
  };
  const marks = [0, -Math.floor(decades / 2), -decades];
  return (
    <div className="singular-values">
      <div
        className="plot"
        role="slider"
        tabIndex={0}
        aria-label={t('rank.values')}
        aria-valuemin={1}
        aria-valuemax={values.length}
        aria-valuenow={index + 1}
        aria-valuetext={words}
        data-testid="singular-values"
        onKeyDown={onKeyDown}
        onPointerMove={(event) => {
          const bounds = event.currentTarget.getBoundingClientRect();
          const x = ((event.clientX - bounds.left) / bounds.width) * plotWidth - left;
          setPointed(Math.max(0, Math.min(values.length - 1, Math.floor(x / slot))));
        }}
        onPointerLeave={() => setPointed(null)}
      >
        <svg viewBox={`0 0 ${plotWidth} ${plotHeight}`} aria-hidden="true">
          {marks.map((decade) => (
            <g key={decade}>
              <line
                className="plot-grid"
                x1={left}
                x2={plotWidth}
                y1={heightAt(10 ** decade)}
                y2={heightAt(10 ** decade)}
              />
              <text className="plot-mark" x={left - 4} y={heightAt(10 ** decade) + 3} textAnchor="end">
                {decade === 0 ? 'σ₁' : `10${superscript(decade)}`}
              </text>
            </g>
          ))}
          {values.map((one, place) => {
            const y = heightAt(largest > 0 ? one / largest : 0);
            const kind = place < kept ? 'bar-kept' : one > tolerance * largest ? 'bar-left' : 'bar-none';
            return (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: the k-th value is the k-th bar
                key={place}
                className={place === pointed ? `${kind} bar-pointed` : kind}
                x={left + place * slot + gap / 2}
                width={Math.max(0.5, slot - gap)}
                y={Math.min(bottom - 1, y)}
                height={Math.max(1, bottom - y)}
              />
            );
          })}
          <line className="plot-tolerance" x1={left} x2={plotWidth} y1={heightAt(tolerance)} y2={heightAt(tolerance)} />
        </svg>
      </div>
      <p className="plot-reading" aria-hidden="true">
        {words}
      </p>
    </div>
  );
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
function superscript(value: number): string {
  const digits = [...String(Math.abs(value))].map((digit) => superscripts[Number(digit)]).join('');
  return value < 0 ? `⁻${digits}` : digits;
}
