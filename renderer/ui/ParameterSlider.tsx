// A parameter: its name (drag to scrub), a slider and a field. Shift is finer, double click resets. A drag, or a held arrow
// key, is one gesture: `onGesture` marks where it begins and ends.

import { type KeyboardEvent, type PointerEvent, useId, useRef } from 'react';
import { NumberField } from './NumberField';
import { formatNumber } from './numberText';
import './parameterSlider.css';
import { placeOf, type SliderScale, stepBy, valueAt } from './sliderScale';

interface ParameterSliderProps {
  readonly label: string;
  readonly value: number;
  readonly standard: number;
  readonly scale: SliderScale;
  readonly unit: string;
  readonly isDisabled?: boolean;
  readonly testId?: string;
  readonly onChange: (value: number) => void;
  readonly onGesture: (phase: 'begin' | 'end') => void;
}

/** How much slower Shift makes a drag. */
const fineShare = 0.1;
/** CSS pixels of a drag on the name for the whole range. */
const scrubLength = 400;

interface Drag {
  readonly length: number;
  place: number;
  lastX: number;
}

export function ParameterSlider(props: ParameterSliderProps) {
  const { label, value, standard, scale, unit, isDisabled = false, testId, onChange, onGesture } = props;
  const track = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const keyHeld = useRef(false);
  const labelId = useId();
  const place = placeOf(value, scale);

  const begin = (event: PointerEvent<HTMLElement>, length: number, startPlace: number) => {
    if (isDisabled || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { length, place: startPlace, lastX: event.clientX };
    onGesture('begin');
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const now = drag.current;
    if (now === null) return;
    const share = ((event.clientX - now.lastX) / now.length) * (event.shiftKey ? fineShare : 1);
    now.lastX = event.clientX;
    if (share === 0) return;
    // Beyond an end the drag waits for the pointer instead of running ahead of it.
    now.place = Math.min(1, Math.max(0, now.place + share));
    onChange(valueAt(now.place, scale, event.shiftKey));
  };
  const end = () => {
    if (drag.current === null) return;
    drag.current = null;
    onGesture('end');
  };
  const onTrackDown = (event: PointerEvent<HTMLDivElement>) => {
    const bounds = track.current?.getBoundingClientRect();
    if (bounds === undefined || isDisabled || event.button !== 0) return;
    const start = Math.min(1, Math.max(0, (event.clientX - bounds.left) / bounds.width));
    begin(event, bounds.width, start);
    onChange(valueAt(start, scale));
  };
  const step = (count: number, fine: boolean) => onChange(stepBy(value, count, scale, fine));
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const counts: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: 10,
      PageDown: -10,
    };
    const count = counts[event.key];
    const target = event.key === 'Home' ? scale.minimum : event.key === 'End' ? scale.maximum : undefined;
    if (isDisabled || event.ctrlKey || event.metaKey || event.altKey || (count === undefined && target === undefined))
      return;
    event.preventDefault();
    if (!keyHeld.current) {
      keyHeld.current = true;
      onGesture('begin');
    }
    if (target !== undefined) onChange(target);
    else if (count !== undefined) step(count, event.shiftKey);
  };
  const release = () => {
    if (!keyHeld.current) return;
    keyHeld.current = false;
    onGesture('end');
  };
  const reset = () => {
    if (!isDisabled && value !== standard) onChange(standard);
  };
  const dragHandlers = { onPointerMove: move, onPointerUp: end, onPointerCancel: end, onLostPointerCapture: end };

  return (
    <div className="parameter" data-disabled={isDisabled || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a second way by pointer; the slider has the keyboard */}
      <span
        id={labelId}
        className="row-label parameter-label"
        title={label}
        onPointerDown={(event) => begin(event, scrubLength, place)}
        onDoubleClick={reset}
        {...dragHandlers}
      >
        {label}
      </span>
      <div
        ref={track}
        className="parameter-track"
        role="slider"
        tabIndex={isDisabled ? -1 : 0}
        aria-labelledby={labelId}
        aria-valuemin={scale.minimum}
        aria-valuemax={scale.maximum}
        aria-valuenow={value}
        aria-valuetext={`${formatNumber(value)} ${unit}`.trim()}
        aria-disabled={isDisabled}
        data-testid={testId}
        onPointerDown={onTrackDown}
        onDoubleClick={reset}
        onKeyDown={onKeyDown}
        onKeyUp={release}
        onBlur={release}
        {...dragHandlers}
      >
        <span className="parameter-rail" />
        <span className="parameter-fill" style={{ width: `${place * 100}%` }} />
        <span className="parameter-thumb" style={{ left: `${place * 100}%` }} />
      </div>
      <NumberField
        label={label}
        value={value}
        minimum={scale.minimum}
        maximum={scale.maximum}
        whole={scale.whole}
        unit={unit}
        isDisabled={isDisabled}
        testId={testId === undefined ? undefined : `${testId}-field`}
        onCommit={onChange}
        onStep={step}
      />
    </div>
  );
}
