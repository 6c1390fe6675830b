// The map of a response on the page: hovering or the arrow keys read one frequency; the map is saved as PNG or CSV.

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { FrequencyResponse } from '../../core/frequency';
import { useWords } from '../i18n/useWords';
import { SavePlot } from '../plots/SavePlot';
import { plotColours, usePlotCanvas } from '../plots/usePlotCanvas';
import { formatNumber } from '../ui/numberText';
import { Segment } from '../ui/Segment';
import { decibelWords, mapToCsv, phaseWords } from './analysis';
import { drawMap, type MapKind, mapLayout } from './mapPlot';

interface MapViewProps {
  readonly response: FrequencyResponse;
  readonly name: string;
}

export function MapView({ response, name }: MapViewProps) {
  const { t } = useWords();
  const [kind, setKind] = useState<MapKind>('magnitude');
  const shown = response.phase === 'zero' ? 'magnitude' : kind;
  const words = { x: t('frequency.axisX'), y: t('frequency.axisY') };
  const draw = (context: CanvasRenderingContext2D) => drawMap(context, response, shown, plotColours(), words);
  const canvas = usePlotCanvas(mapLayout, draw, [response, shown, words.x, words.y]);
  const { size } = response;
  const [cell, setCell] = useState<readonly [number, number]>([size / 2, size / 2]);
  const wanted = useRef(size);
  useEffect(() => {
    // Another grid has other cells; frequency 0 is in all of them.
    if (wanted.current !== size) setCell([size / 2, size / 2]);
    wanted.current = size;
  }, [size]);
  const inside = (value: number) => Math.max(0, Math.min(size - 1, value));
  const [x, y] = [inside(cell[0]), inside(cell[1])];
  const index = y * size + x;
  const magnitude = response.magnitude[index] ?? 0;
  const reading = t('frequency.reading', {
    x: formatNumber(x / size - 0.5, 4),
    y: formatNumber(y / size - 0.5, 4),
    value: formatNumber(magnitude, 4),
    decibels: decibelWords(magnitude, response.reference),
    phase: phaseWords(Math.atan2(response.imaginary[index] ?? 0, response.real[index] ?? 0)),
  });
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const scale = mapLayout.width / bounds.width;
    const place = (offset: number, start: number) =>
      inside(Math.floor(((offset * scale - start) / mapLayout.side) * size));
    setCell([place(event.clientX - bounds.left, mapLayout.left), place(event.clientY - bounds.top, mapLayout.top)]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? Math.max(1, size / 32) : 1;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [x - step, y],
      ArrowRight: [x + step, y],
      ArrowUp: [x, y - step],
      ArrowDown: [x, y + step],
      Home: [size / 2, size / 2],
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setCell([inside(next[0]), inside(next[1])]);
  };
  return (
    <section aria-label={t('frequency.map')}>
      {response.phase !== 'zero' && (
        <Segment
          label={t('frequency.mapKind')}
          wide
          value={shown}
          items={[
            { value: 'magnitude', label: t('frequency.magnitude') },
            { value: 'phase', label: t('frequency.phase') },
          ]}
          onChoose={setKind}
        />
      )}
      <div
        className="plot plot-map"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its values
        tabIndex={0}
        aria-label={t(shown === 'phase' ? 'frequency.phaseMap' : 'frequency.magnitudeMap')}
        aria-describedby="frequency-reading"
        data-testid="frequency-map"
        onPointerMove={point}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} />
        <span
          className="plot-cursor"
          style={{
            left: `${((mapLayout.left + ((x + 0.5) / size) * mapLayout.side) / mapLayout.width) * 100}%`,
            top: `${((mapLayout.top + ((y + 0.5) / size) * mapLayout.side) / mapLayout.height) * 100}%`,
          }}
        />
      </div>
      <p id="frequency-reading" className="plot-reading" aria-live="polite" data-testid="frequency-reading">
        {reading}
      </p>
      <SavePlot
        name={`${name} ${t(shown === 'phase' ? 'frequency.phase' : 'frequency.magnitude')}`}
        layout={mapLayout}
        draw={draw}
        csv={() => mapToCsv(response)}
        testId="save-map"
      />
    </section>
  );
}
