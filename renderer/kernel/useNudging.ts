// Nudges of the active cell by key and by wheel: a run of them is one gesture, which ends after a pause.

import { type RefObject, useEffect, useRef } from 'react';
import type { CellPlace } from '../../core/kernelPainting';
import { cellAt, type GridGeometry } from './gridGeometry';

/** Pixels of wheel for a notch, and how long a run of notches may pause within one undo step, in ms. */
const wheelNotch = 40;
const nudgePause = 500;

interface NudgingOptions {
  /** What the wheel turns over, and the field that must have the focus for it. */
  readonly surface: RefObject<HTMLElement | null>;
  readonly input: RefObject<HTMLElement | null>;
  readonly geometry: GridGeometry;
  readonly readOnly: boolean;
  readonly active: () => CellPlace;
  readonly gesture: (phase: 'begin' | 'end') => void;
  /** Changes the active cell by so many notches, ten times finer where `fine`. */
  readonly change: (count: number, fine: boolean) => void;
}

export function useNudging(options: NudgingOptions) {
  const { surface, input, geometry, readOnly } = options;
  const now = useRef(options);
  now.current = options;
  const pause = useRef<ReturnType<typeof setTimeout> | null>(null);
  const stop = () => {
    if (pause.current === null) return;
    clearTimeout(pause.current);
    pause.current = null;
    now.current.gesture('end');
  };
  const nudge = (count: number, fine: boolean) => {
    if (pause.current === null) now.current.gesture('begin');
    else clearTimeout(pause.current);
    pause.current = setTimeout(stop, nudgePause);
    now.current.change(count, fine);
  };
  const latest = useRef(nudge);
  latest.current = nudge;
  // By hand, because React's wheel listeners cannot keep the panel from scrolling.
  useEffect(() => {
    const element = surface.current;
    if (element === null || readOnly) return;
    let turned = 0;
    const onWheel = (event: WheelEvent) => {
      if (document.activeElement !== input.current || event.ctrlKey) return;
      const { left, top } = element.getBoundingClientRect();
      const cell = cellAt(geometry, event.clientX - left, event.clientY - top);
      const at = now.current.active();
      if (cell.x !== at.x || cell.y !== at.y) return;
      event.preventDefault();
      turned -= event.deltaY;
      const notches = Math.trunc(turned / wheelNotch);
      turned -= notches * wheelNotch;
      if (notches !== 0) latest.current(notches, event.shiftKey);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [surface, input, geometry, readOnly]);
  return { nudge, stop };
}
