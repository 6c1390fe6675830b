// The tool that draws a shape of a mask: one drag, one shape from pixel to pixel, one step of undo. Shift keeps it even.

import type { MaskShapeKind } from '../../core/mask';
import { changeShape } from '../../core/maskEdits';
import { drawnShape } from '../../core/maskGeometry';
import { editor } from '../editor';
import type { CanvasTool } from '../viewport/canvasTool';
import type { Point } from '../viewport/geometry';
import { editMask, maskToEdit, putShape } from './maskActions';
import { maskDesk } from './maskDesk';

/** The corner of pixels that is nearest. */
const corner = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) });

/** CSS pixels that a press may move without becoming a drag. */
const slop = 3;

interface Drawing {
  readonly from: Point;
  readonly clientX: number;
  readonly clientY: number;
  /** Place of the shape in the mask, once there is one. */
  index: number | null;
}

export interface MaskTool extends CanvasTool {
  /** Takes back what the present drag has done; false where there is none. */
  cancel(): boolean;
}

export function drawTool(kind: Exclude<MaskShapeKind, 'brush'>): MaskTool {
  let drawing: Drawing | null = null;
  const end = (phase: 'end' | 'cancel') => {
    if (drawing === null) return;
    const drawn = drawing.index !== null;
    drawing = null;
    editor.gesture(phase);
    if (drawn && phase === 'end') maskDesk.setState({ tool: null });
  };
  return {
    cursor: 'crosshair',
    press(at, event) {
      drawing = { from: corner(at), clientX: event.clientX, clientY: event.clientY, index: null };
      editor.gesture('begin');
      return true;
    },
    drag(at, event) {
      if (drawing === null) return;
      const moved = Math.hypot(event.clientX - drawing.clientX, event.clientY - drawing.clientY);
      if (drawing.index === null && moved < slop) return;
      const geometry = drawnShape(kind, drawing.from, corner(at), event.shiftKey);
      const { index } = drawing;
      const place = maskToEdit()?.mask.shapes.length ?? 0;
      // Undo may have taken the shape away.
      if (index !== null && index < place)
        editMask((mask) => changeShape(mask, index, ({ combine }) => ({ combine, ...geometry })));
      else {
        if (putShape(geometry)) drawing.index = place;
        else end('cancel');
      }
    },
    release: (_at, cancelled) => end(cancelled ? 'cancel' : 'end'),
    cancel() {
      const running = drawing !== null;
      end('cancel');
      return running;
    },
    hover: () => undefined,
    paint: () => undefined,
  };
}
