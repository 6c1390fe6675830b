// The tool that paints a mask: each drag is a stroke and a step of undo. Alt or the right button erases. The ring shows the
// brush and, within it, how far it is full; the path under way is drawn at once, before the engine has its mask.

import type { BrushStroke } from '../../core/mask';
import { addStroke, changeShape } from '../../core/maskEdits';
import { simplifyPath } from '../../core/maskGeometry';
import { editor } from '../editor';
import type { CanvasPlace } from '../viewport/canvasTool';
import { currentViewport } from '../viewport/current';
import { type Point, pictureToScreen } from '../viewport/geometry';
import type { MaskTool } from './drawTool';
import { editMask, maskToEdit, putShape } from './maskActions';
import { editedShape, maskDesk } from './maskDesk';
import { overlayColour } from './overlayColour';

/** Share of the brush, and pixels, that the path may be off by once it is stored. */
const tolerance = { share: 0.01, pixels: 0.25 };
/** Tenths of a pixel: what is stored stays short. */
const rounded = (value: number) => Math.round(value * 10) / 10;

interface Stroking {
  /** Place of the brush in the mask. */
  readonly index: number;
  /** Place of the stroke in the brush. */
  readonly place: number;
  readonly stroke: Omit<BrushStroke, 'points'>;
  readonly points: number[];
  /** A frame in which the points so far become part of the mask. */
  frame: number;
}

/** The brush that a stroke belongs to: the one being edited, or the last; a new one where there is none. */
function brushToPaint(): number | null {
  const now = maskToEdit();
  if (now === null) return null;
  const { filter, mask } = now;
  const edited = editedShape(maskDesk.getState(), filter);
  if (edited !== null && mask.shapes[edited]?.kind === 'brush') return edited;
  const last = mask.shapes.findLastIndex(({ kind }) => kind === 'brush');
  if (last >= 0) maskDesk.setState({ shape: { filterId: filter.id, index: last } });
  else if (!putShape({ kind: 'brush', strokes: [] })) return null;
  return last >= 0 ? last : mask.shapes.length;
}

export function brushTool(): MaskTool {
  let stroking: Stroking | null = null;
  let pointer: Point | null = null;
  const redraw = () => currentViewport()?.redraw();

  const strokeSoFar = ({ stroke, points }: Stroking): BrushStroke => ({ ...stroke, points: points.map(rounded) });
  const brushAt = (index: number) => {
    const shape = maskToEdit()?.mask.shapes[index];
    return shape?.kind === 'brush' ? shape : null;
  };
  /** Puts the stroke as it is now in the place of the one put before, which undo may have taken away, its brush too. */
  const put = ({ index, place }: Stroking, stroke: BrushStroke) => {
    const brush = brushAt(index);
    if (brush === null) return;
    const strokes = [...brush.strokes.slice(0, place), stroke];
    editMask((mask) => changeShape(mask, index, () => ({ ...brush, strokes })));
  };
  const end = (phase: 'end' | 'cancel') => {
    const now = stroking;
    if (now === null) return;
    stroking = null;
    cancelAnimationFrame(now.frame);
    if (phase === 'end') {
      const off = Math.max(tolerance.pixels, now.stroke.size * tolerance.share);
      put(now, { ...now.stroke, points: simplifyPath(now.points.map(rounded), off) });
    }
    editor.gesture(phase);
    redraw();
  };

  return {
    cursor: 'none',
    press(at, event) {
      const { brush } = maskDesk.getState();
      editor.gesture('begin');
      const index = brushToPaint();
      const stroke = { ...brush, erases: event.altKey || event.button === 2 };
      const points = [at.x, at.y];
      if (index === null || !editMask((mask) => addStroke(mask, index, { ...stroke, points: points.map(rounded) }))) {
        editor.gesture('cancel');
        return true;
      }
      stroking = { index, place: (brushAt(index)?.strokes.length ?? 1) - 1, stroke, points, frame: 0 };
      pointer = at;
      redraw();
      return true;
    },
    drag(at) {
      const now = stroking;
      pointer = at;
      redraw();
      if (now === null) return;
      now.points.push(at.x, at.y);
      // Once a frame: pointers tell of more places than can be shown.
      if (now.frame !== 0) return;
      now.frame = requestAnimationFrame(() => {
        now.frame = 0;
        if (stroking === now) put(now, strokeSoFar(now));
      });
    },
    release: (_at, cancelled) => end(cancelled ? 'cancel' : 'end'),
    cancel() {
      const running = stroking !== null;
      end('cancel');
      return running;
    },
    hover(at) {
      pointer = at;
      redraw();
    },
    paint(context, place) {
      if (stroking !== null) paintPath(context, place, stroking);
      if (pointer !== null) paintRing(context, place, pointer);
    },
  };
}

function paintPath(context: CanvasRenderingContext2D, { camera, viewport }: CanvasPlace, now: Stroking): void {
  if (now.stroke.erases) return;
  context.save();
  context.globalAlpha = 0.35;
  context.strokeStyle = overlayColour;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  // Half of the soft part counts, so that the path looks as wide as the stroke will.
  context.lineWidth = Math.max(1, now.stroke.size * (0.5 + now.stroke.hardness / 2) * camera.zoom);
  context.beginPath();
  for (let at = 0; at < now.points.length; at += 2) {
    const { x, y } = pictureToScreen(camera, viewport, { x: now.points[at] ?? 0, y: now.points[at + 1] ?? 0 });
    if (at === 0) context.moveTo(x, y);
    context.lineTo(x, y);
  }
  context.stroke();
  context.restore();
}

function paintRing(context: CanvasRenderingContext2D, { camera, viewport, ratio }: CanvasPlace, at: Point): void {
  const { size, hardness } = maskDesk.getState().brush;
  const { x, y } = pictureToScreen(camera, viewport, at);
  const radius = Math.max(1, (size / 2) * camera.zoom);
  const circle = (length: number, width: number, style: string) => {
    context.lineWidth = width * ratio;
    context.strokeStyle = style;
    context.beginPath();
    context.arc(x, y, length, 0, 2 * Math.PI);
    context.stroke();
  };
  context.save();
  circle(radius, 3, 'rgb(0 0 0 / 55%)');
  circle(radius, 1, '#ffffff');
  if (hardness > 0.02 && hardness < 0.98 && radius > 8) {
    context.setLineDash([4 * ratio, 4 * ratio]);
    circle(radius * hardness, 1, 'rgb(255 255 255 / 80%)');
  }
  context.restore();
}
