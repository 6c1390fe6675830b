// A border as a drawing: a row of four samples, and what the border shows beyond each of its ends.

import type { Border } from '../../core/pass';
import { drawnSamples, insideCount, outsideCount } from './borderSamples';

const cell = 10;
const height = 14;
const letters = ['a', 'b', 'c', 'd'];
/** Four samples that tell apart without colour: dark to light. */
const shades = ['#46607a', '#6f8fae', '#a9c1d8', '#e6eef6'];
const inks = ['#ffffff', '#101214', '#101214', '#101214'];

interface BorderPictureProps {
  readonly kind: Border['kind'];
  /** Share of full scale that `constant` shows. */
  readonly value?: number;
}

export function BorderPicture({ kind, value = 0.5 }: BorderPictureProps) {
  const samples = drawnSamples(kind);
  const grey = kind === 'zero' ? 0 : Math.round(255 * Math.min(1, Math.max(0, value)));
  return (
    <svg
      width={samples.length * cell}
      height={height}
      viewBox={`0 0 ${samples.length * cell} ${height}`}
      aria-hidden="true"
      className="border-picture"
    >
      {samples.map((sample, place) => {
        const inside = place >= outsideCount && place < outsideCount + insideCount;
        const fill = sample === null ? `rgb(${grey} ${grey} ${grey})` : shades[sample];
        return (
          // The row is fixed: its places are its identities.
          // biome-ignore lint/suspicious/noArrayIndexKey: places never move
          <g key={place} opacity={inside ? 1 : 0.72}>
            <rect x={place * cell} y={2} width={cell - 0.5} height={height - 4} fill={fill} />
            {sample !== null && (
              <text
                x={place * cell + cell / 2 - 0.25}
                y={height / 2 + 3}
                fontSize={8}
                textAnchor="middle"
                fill={inks[sample]}
              >
                {letters[sample]}
              </text>
            )}
          </g>
        );
      })}
      <rect
        x={outsideCount * cell - 0.75}
        y={0.75}
        width={insideCount * cell + 0.5}
        height={height - 1.5}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.25}
      />
    </svg>
  );
}

/** The same row as letters, for screen readers: `c b a | a b c d | d c b`. */
export function borderLetters(kind: Border['kind']): string {
  const signs = drawnSamples(kind).map((sample) => (sample === null ? '·' : (letters[sample] ?? '')));
  const cut = outsideCount + insideCount;
  return [signs.slice(0, outsideCount), signs.slice(outsideCount, cut), signs.slice(cut)]
    .map((part) => part.join(' '))
    .join(' | ');
}
