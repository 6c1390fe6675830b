// The cuts of a response on the page: hovering or the arrow keys read all three at one frequency; saved as PNG or CSV.

import { type KeyboardEvent, useState } from 'react';
import { type Cut, cutsToCsv, type FrequencyResponse } from '../../core/frequency';
import { useWords } from '../i18n/useWords';
import { SavePlot } from '../plots/SavePlot';
import { cssVariable, plotColours, usePlotCanvas } from '../plots/usePlotCanvas';
import { formatNumber } from '../ui/numberText';
import { decibelWords } from './analysis';
import { type CutColours, cutLayout, drawCuts } from './cutPlot';

interface CutViewProps {
  readonly cuts: readonly Cut[];
  readonly response: FrequencyResponse;
  readonly name: string;
}

function colours(): CutColours {
  return {
    ...plotColours(),
    grid: cssVariable('--line'),
    mark: cssVariable('--warning'),
    curves: {
      horizontal: cssVariable('--accent-strong'),
      vertical: cssVariable('--positive'),
      radial: cssVariable('--text'),
    },
  };
}

export function CutView({ cuts, response, name }: CutViewProps) {
  const { t } = useWords();
  const word = t('frequency.axis');
  const draw = (context: CanvasRenderingContext2D) => drawCuts(context, cuts, response, colours(), word);
  const canvas = usePlotCanvas(cutLayout, draw, [cuts, response, word]);
  const last = (cuts[0]?.frequencies.length ?? 1) - 1;
  const [pointed, setPointed] = useState(0);
  const index = Math.max(0, Math.min(last, pointed));
  const frequency = cuts[0]?.frequencies[index] ?? 0;
  const reading = [
    t('frequency.at', { value: formatNumber(frequency, 4) }),
    ...cuts.map(({ direction, magnitude }) => {
      const value = magnitude[index] ?? 0;
      return t('frequency.cutReading', {
        direction: t(`frequencyDirection.${direction}`),
        value: formatNumber(value / response.reference, 3),
        decibels: decibelWords(value, response.reference),
      });
    }),
  ].join(' · ');
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? Math.max(1, Math.round(last / 16)) : 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: index - step,
      ArrowRight: index + step,
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setPointed(Math.max(0, Math.min(last, next)));
  };
  const { left, right, width, top, height, bottom } = cutLayout;
  return (
    <section aria-label={t('frequency.cuts')}>
      <p className="kernel-caption cut-legend">
        {cuts.map(({ direction }) => (
          <span key={direction} className={`cut-key cut-${direction}`}>
            {t(`frequencyDirection.${direction}`)}
          </span>
        ))}
      </p>
      <div
        className="plot plot-cuts"
        role="slider"
        tabIndex={0}
        aria-label={t('frequency.cuts')}
        aria-valuemin={0}
        aria-valuemax={0.5}
        aria-valuenow={frequency}
        aria-valuetext={reading}
        data-testid="frequency-cuts"
        onKeyDown={onKeyDown}
        onPointerMove={(event) => {
          const bounds = event.currentTarget.getBoundingClientRect();
          const x = (event.clientX - bounds.left) * (width / bounds.width) - left;
          setPointed(Math.round((x / (width - left - right)) * last));
        }}
      >
        <canvas ref={canvas} />
        <span
          className="plot-line"
          style={{
            left: `${((left + 2 * frequency * (width - left - right)) / width) * 100}%`,
            top: `${(top / height) * 100}%`,
            bottom: `${(bottom / height) * 100}%`,
          }}
        />
      </div>
      <p className="plot-reading" aria-hidden="true">
        {reading}
      </p>
      <SavePlot
        name={`${name} MTF`}
        layout={cutLayout}
        draw={draw}
        csv={() => cutsToCsv(cuts, response.reference)}
        testId="save-cuts"
      />
    </section>
  );
}
