// The explain card's first line: the samples under the kernel, the kernel, or two, and the colour of the result. Samples
// that a border gave are crossed out by a corner.

import { useEffect, useRef } from 'react';
import type { ExplainedKernel, SumExplanation } from '../../core/explain';
import { useWords } from '../i18n/useWords';
import { KernelPicture } from '../kernel/KernelPicture';

/** CSS pixels of a picture's longer side. */
const side = 76;

type Rgba = readonly [number, number, number, number];

/** A stored pixel on an 8-bit screen, in the picture's own colours. */
export function screenColour(
  stored: ArrayLike<number>,
  at: number,
  { channels, hasAlpha, fullScale }: Pick<SumExplanation['arithmetic'], 'channels' | 'hasAlpha' | 'fullScale'>,
): Rgba {
  const byte = (channel: number) => Math.round(Math.min(1, Math.max(0, (stored[at + channel] ?? 0) / fullScale)) * 255);
  const alpha = hasAlpha ? byte(channels - 1) : 255;
  return channels <= 2 ? [byte(0), byte(0), byte(0), alpha] : [byte(0), byte(1), byte(2), alpha];
}

function Samples({
  kernel,
  found,
  label,
}: {
  readonly kernel: ExplainedKernel;
  readonly found: SumExplanation;
  readonly label: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { shown, samples, sources } = kernel;
  const { arithmetic } = found;
  const scale = Math.max(1, Math.floor((side * 2) / Math.max(shown.width, shown.height)));
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, shown.width * scale, shown.height * scale);
    for (let cell = 0; cell < sources.length; cell++) {
      const [r, g, b, a] = screenColour(samples, cell * arithmetic.channels, arithmetic);
      const x = (cell % shown.width) * scale;
      const y = Math.floor(cell / shown.width) * scale;
      context.fillStyle = `rgb(${r} ${g} ${b} / ${a / 255})`;
      context.fillRect(x, y, scale, scale);
      if ((sources[cell] ?? 0) === 0 || scale < 3) continue;
      // A corner that shows on any colour.
      const corner = Math.max(2, Math.round(scale / 3));
      context.fillStyle = r * 0.3 + g * 0.59 + b * 0.11 > 128 ? '#000000' : '#ffffff';
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + corner, y);
      context.lineTo(x, y + corner);
      context.fill();
    }
  }, [samples, sources, shown, scale, arithmetic]);
  return (
    <canvas
      ref={canvas}
      className="explain-picture"
      width={shown.width * scale}
      height={shown.height * scale}
      role="img"
      aria-label={label}
    />
  );
}

export function ExplainPictures({ found }: { readonly found: SumExplanation }) {
  const { t } = useWords();
  const { kernels, arithmetic, steps } = found;
  const first = kernels[0];
  if (first === undefined) return null;
  const [r, g, b, a] = screenColour(
    steps.map(({ value }) => value),
    0,
    arithmetic,
  );
  return (
    <div className="explain-pictures">
      <Samples
        kernel={first}
        found={found}
        label={t('explain.samples', { width: first.width, height: first.height })}
      />
      <span className="explain-sign" aria-hidden="true">
        ∗
      </span>
      {kernels.map((kernel, index) => (
        <KernelPicture
          // biome-ignore lint/suspicious/noArrayIndexKey: across, then down
          key={index}
          width={kernel.shown.width}
          height={kernel.shown.height}
          weights={kernel.weights}
          label={kernels.length === 1 ? t('explain.kernel') : t(index === 0 ? 'explain.across' : 'explain.down')}
          className="explain-picture"
        />
      ))}
      <span className="explain-sign" aria-hidden="true">
        =
      </span>
      <span className="explain-swatch" style={{ background: `rgb(${r} ${g} ${b} / ${a / 255})` }} aria-hidden="true" />
    </div>
  );
}
