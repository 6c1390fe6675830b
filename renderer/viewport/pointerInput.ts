// Mouse, pen and wheel on the canvas: the wheel zooms about the pointer, a drag pans (or is
// the tool's that is on the canvas), a double click toggles Fit and 100 %.

import type { CanvasTool } from './canvasTool';
import type { Point } from './geometry';
import type { Viewport } from './viewport';

/** Wheel travel (CSS pixels) that doubles the zoom: two notches of a usual mouse. A pinch sends smaller numbers. */
const wheelDouble = 240;
const pinchDouble = 70;
/** CSS pixels of one line, for wheels that count in lines. */
const lineHeight = 16;

export interface PointerEvents {
  /** The picture pixel under the pointer, or null. */
  readonly point: (pixel: Point | null) => void;
  /** The picture pixel that was clicked with Alt. */
  readonly pin: (pixel: Point) => void;
}

/** Starts listening; answers how to stop. */
export function listenToPointer(
  canvas: HTMLCanvasElement,
  viewport: Viewport,
  { point, pin }: PointerEvents,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const { sight } = viewport;
  let last: Point | null = null;
  let spaceHeld = false;
  /** The tool that has taken the drag. */
  let dragging: CanvasTool | null = null;
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
      if (event.shiftKey) sight.panBy(-(dx || dy), 0);
      else {
        if (dx !== 0) sight.panBy(-dx, 0);
        if (dy !== 0) sight.zoomBy(2 ** (-dy / (event.ctrlKey ? pinchDouble : wheelDouble)), at(event));
      }
      point(sight.pixelAt(at(event)));
    },
    { passive: false, signal },
  );

  canvas.addEventListener(
    'pointerdown',
    (event) => {
      // The right button is a tool's alone.
      const tool = viewport.activeTool;
      if (event.button > 2 || (event.button === 2 && tool === null)) return;
      // The middle button would start the system's own scrolling.
      if (event.button === 1) event.preventDefault();
      const pixel = sight.pixelAt(at(event));
      if (event.altKey && event.button === 0 && pixel !== null && tool === null) {
        pin(pixel);
        return;
      }
      canvas.setPointerCapture(event.pointerId);
      if (tool !== null && event.button !== 1 && !spaceHeld && tool.press(sight.toPicture(at(event)), event)) {
        dragging = tool;
        return;
      }
      if (event.button === 2) return;
      canvas.dataset.panning = 'true';
      last = at(event);
    },
    { signal },
  );
  canvas.addEventListener(
    'pointermove',
    (event) => {
      const now = at(event);
      if (dragging !== null) dragging.drag(sight.toPicture(now), event);
      else if (last === null) viewport.activeTool?.hover(sight.toPicture(now));
      if (last !== null) {
        sight.panBy(now.x - last.x, now.y - last.y);
        last = now;
      }
      point(sight.pixelAt(now));
    },
    { signal },
  );
  const stop = (event: PointerEvent) => {
    dragging?.release(sight.toPicture(at(event)), event.type === 'pointercancel');
    dragging = null;
    last = null;
    delete canvas.dataset.panning;
  };
  canvas.addEventListener('pointerup', stop, { signal });
  canvas.addEventListener('pointercancel', stop, { signal });
  canvas.addEventListener(
    'pointerleave',
    () => {
      viewport.activeTool?.hover(null);
      point(null);
    },
    { signal },
  );
  canvas.addEventListener(
    'dblclick',
    (event) => {
      // Two quick presses of a tool are two of its own.
      if (viewport.activeTool === null) sight.toggleFit(at(event));
    },
    { signal },
  );
  canvas.addEventListener(
    'contextmenu',
    (event) => {
      if (viewport.activeTool !== null) event.preventDefault();
    },
    { signal },
  );
  canvas.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== ' ' || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      spaceHeld = true;
    },
    { signal },
  );
  const letGo = () => {
    spaceHeld = false;
  };
  window.addEventListener(
    'keyup',
    (event) => {
      if (event.key === ' ') letGo();
    },
    { signal },
  );
  window.addEventListener('blur', letGo, { signal });
  return () => controller.abort();
}
