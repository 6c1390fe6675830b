// Mouse, pen and wheel on the canvas: the wheel zooms about the pointer, a drag pans, a double click toggles Fit and 100 %.

import type { Point } from './geometry';
import type { Viewport } from './viewport';

/** Wheel travel (CSS pixels) that doubles the zoom: two notches of a usual mouse. A pinch sends smaller numbers. */
const wheelDouble = 240;
const pinchDouble = 70;
/** CSS pixels of one line, for wheels that count in lines. */
const lineHeight = 16;

/** Starts listening; answers how to stop. `point` gets the picture pixel under the pointer, or null. */
export function listenToPointer(
  canvas: HTMLCanvasElement,
  viewport: Viewport,
  point: (pixel: Point | null) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let last: Point | null = null;
  const at = (event: MouseEvent): Point => {
    const room = canvas.getBoundingClientRect();
    return { x: event.clientX - room.left, y: event.clientY - room.top };
  };

  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? lineHeight : 1;
      const dx = event.deltaX * unit;
      const dy = event.deltaY * unit;
      if (event.shiftKey) viewport.panBy(-(dx || dy), 0);
      else {
        if (dx !== 0) viewport.panBy(-dx, 0);
        if (dy !== 0) viewport.zoomBy(2 ** (-dy / (event.ctrlKey ? pinchDouble : wheelDouble)), at(event));
      }
      point(viewport.hover(at(event)));
    },
    { passive: false, signal },
  );

  canvas.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0 && event.button !== 1) return;
      // The middle button would start the system's own scrolling.
      if (event.button === 1) event.preventDefault();
      canvas.setPointerCapture(event.pointerId);
      canvas.dataset.panning = 'true';
      last = at(event);
    },
    { signal },
  );
  canvas.addEventListener(
    'pointermove',
    (event) => {
      const now = at(event);
      if (last !== null) {
        viewport.panBy(now.x - last.x, now.y - last.y);
        last = now;
      }
      point(viewport.hover(now));
    },
    { signal },
  );
  const stop = () => {
    last = null;
    delete canvas.dataset.panning;
  };
  canvas.addEventListener('pointerup', stop, { signal });
  canvas.addEventListener('pointercancel', stop, { signal });
  canvas.addEventListener('pointerleave', () => point(viewport.hover(null)), { signal });
  canvas.addEventListener('dblclick', (event) => viewport.toggleFit(at(event)), { signal });
  return () => controller.abort();
}
