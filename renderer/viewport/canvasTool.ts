// A tool that works on the picture itself, such as one that draws a mask: it takes drags of the primary button before they
// pan, and draws over the picture. `viewport.setTool` puts one in; the middle button and Space still pan.

import type { Size } from '../../core/geometry';
import type { Camera, Point } from './geometry';

/** Where the picture lies on the canvas, for `pictureToScreen` and its kin. Lengths are device pixels. */
export interface CanvasPlace {
  readonly camera: Camera;
  readonly viewport: Size;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
}

/** Positions are in pixels of the opened picture, with fractions; they may lie outside it. */
export interface CanvasTool {
  /** The cursor over the canvas, as CSS names it. */
  readonly cursor: string;
  /** The primary or the right button goes down; false leaves the drag to panning. */
  press(at: Point, event: PointerEvent): boolean;
  /** The pointer moves during a drag that this tool took. */
  drag(at: Point, event: PointerEvent): void;
  /** The drag ends; `cancelled` where the system took the pointer away. */
  release(at: Point, cancelled: boolean): void;
  /** The pointer moves without a drag, or leaves the canvas (null). */
  hover(at: Point | null): void;
  /** Draws over everything else, on an identity transform. Ask for a new frame with `viewport.redraw()`. */
  paint(context: CanvasRenderingContext2D, place: CanvasPlace): void;
}
