// What lies over the picture while a mask is edited: the outline of a shape and the handles by which it is held, for the
// pointer and for the arrow keys; and the tool in hand, put on the canvas.

import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import type { MaskShape, MaskShapeKind } from '../../core/mask';
import { changeShape } from '../../core/maskEdits';
import { dragHandle, fromBox, type MaskHandle, maskHandles } from '../../core/maskGeometry';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { textIn } from '../keys';
import { selectedFilter, usePage } from '../store';
import type { CanvasPlace } from '../viewport/canvasTool';
import { currentViewport } from '../viewport/current';
import { type Point, pictureToScreen, screenToPicture } from '../viewport/geometry';
import { brushTool } from './brushTool';
import { drawTool } from './drawTool';
import { brushStep, editMask, scaleBrush } from './maskActions';
import { editedShape, maskDesk, useMaskDesk } from './maskDesk';
import './maskLayer.css';

/** CSS pixels between a box and the handle that turns it. */
const rotateReach = 26;

export function MaskLayer() {
  const filter = usePage(selectedFilter);
  const index = useMaskDesk((desk) => editedShape(desk, filter));
  const tool = useTool();
  const shape = index === null ? undefined : filter?.mask?.shapes[index];
  // A handle must not lie under a brush.
  if (tool !== null || index === null || shape === undefined) return null;
  return <PlacedHandles key={`${filter?.id}-${index}`} shape={shape} index={index} />;
}

/** Puts the tool in hand on the canvas, with the keys that belong to it; answers which it is. */
function useTool(): MaskShapeKind | null {
  const kind = useMaskDesk((desk) => desk.tool);
  const hasFilter = usePage((state) => state.image !== null && selectedFilter(state) !== null);
  useEffect(() => {
    const viewport = currentViewport();
    if (kind === null || viewport === null) return;
    if (!hasFilter) {
      maskDesk.setState({ tool: null });
      return;
    }
    const tool = kind === 'brush' ? brushTool() : drawTool(kind);
    viewport.setTool(tool);
    // Before the commands, some of which have the same keys.
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || textIn(event.target) !== 'none') return;
      // Menus, lists and dialogs have Esc to themselves.
      if (event.target instanceof Element && event.target.closest('[role=menu], [role=listbox], [role=dialog]')) return;
      if (event.key === 'Escape') {
        if (!tool.cancel()) maskDesk.setState({ tool: null });
      } else if (kind === 'brush' && (event.key === '[' || event.key === ']')) {
        scaleBrush(event.key === ']' ? brushStep : 1 / brushStep);
        viewport.redraw();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      tool.cancel();
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      if (viewport.activeTool === tool) viewport.setTool(null);
    };
  }, [kind, hasFilter]);
  return kind;
}

interface EditedShape {
  readonly shape: MaskShape;
  readonly index: number;
}
interface ShapeHandlesProps extends EditedShape {
  readonly place: CanvasPlace;
}

/** The handles where the picture lies now, which is new for each frame in which it moves. */
function PlacedHandles(edited: EditedShape) {
  const place = usePage((state) => state.place);
  return place === null ? null : <ShapeHandles {...edited} place={place} />;
}

/** A position of the picture in CSS pixels of the canvas. */
const onScreen = ({ camera, viewport, ratio }: CanvasPlace, point: Point): Point => {
  const { x, y } = pictureToScreen(camera, viewport, point);
  return { x: x / ratio, y: y / ratio };
};

function ShapeHandles({ shape, index, place }: ShapeHandlesProps) {
  const { t } = useWords();
  const layer = useRef<HTMLDivElement>(null);
  /** The handle that is dragged: where it was, and where the pointer took hold of it. */
  const held = useRef<{ readonly handle: MaskHandle; readonly shape: MaskShape; readonly from: Point } | null>(null);
  const reach = (rotateReach * place.ratio) / place.camera.zoom;
  const handles = maskHandles(shape, reach);

  const pointerInPicture = (event: PointerEvent): Point => {
    const room = layer.current?.getBoundingClientRect();
    const device = {
      x: (event.clientX - (room?.left ?? 0)) * place.ratio,
      y: (event.clientY - (room?.top ?? 0)) * place.ratio,
    };
    return screenToPicture(place.camera, place.viewport, device);
  };
  const put = (next: MaskShape) => editMask((mask) => changeShape(mask, index, () => next));

  const begin = (event: PointerEvent<HTMLElement>, handle: MaskHandle) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = { handle, shape, from: pointerInPicture(event) };
    editor.gesture('begin');
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const now = held.current;
    if (now === null) return;
    const at = pointerInPicture(event);
    // By whole pixels: an edge drawn along pixels stays along pixels.
    const to = {
      x: now.handle.x + Math.round(at.x - now.from.x),
      y: now.handle.y + Math.round(at.y - now.from.y),
    };
    put(dragHandle(now.shape, now.handle.name, to, event.shiftKey));
  };
  const end = (phase: 'end' | 'cancel') => {
    if (held.current === null) return;
    held.current = null;
    editor.gesture(phase);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, handle: MaskHandle) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && held.current !== null) end('cancel');
    else {
      const next = nudged(shape, handle, event);
      if (next === null) return;
      put(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section ref={layer} className="mask-layer" aria-label={t('mask.handles')} data-testid="mask-layer">
      <Outline shape={shape} place={place} />
      {handles.map((handle) => {
        const at = onScreen(place, handle);
        return (
          <button
            key={handle.name}
            type="button"
            className={`mask-handle mask-handle-${handle.name}`}
            style={{ left: at.x, top: at.y }}
            aria-label={t(`mask.handle.${handle.name}`)}
            data-testid={`mask-handle-${handle.name}`}
            onPointerDown={(event) => begin(event, handle)}
            onPointerMove={move}
            onPointerUp={() => end('end')}
            onPointerCancel={() => end('cancel')}
            onKeyDown={(event) => onKeyDown(event, handle)}
          />
        );
      })}
    </section>
  );
}

/** Pixels, and degrees, that an arrow key moves a handle by; with Shift, more. */
const nudge = { pixels: 1, manyPixels: 10, degrees: 1, manyDegrees: 15 };

/** The shape after an arrow key on one of its handles; null for other keys. */
function nudged(
  shape: MaskShape,
  handle: MaskHandle,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): MaskShape | null {
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  const step = steps[key];
  if (step === undefined) return null;
  if (handle.name === 'rotate') {
    if (!('angle' in shape)) return null;
    const turn = -(step[0] + step[1]) * (shiftKey ? nudge.manyDegrees : nudge.degrees);
    return { ...shape, angle: wholeTurn(shape.angle + turn) };
  }
  const length = shiftKey ? nudge.manyPixels : nudge.pixels;
  return dragHandle(shape, handle.name, { x: handle.x + step[0] * length, y: handle.y + step[1] * length });
}

/** The same angle between -180 and 180 degrees. */
const wholeTurn = (angle: number) => ((((angle + 180) % 360) + 360) % 360) - 180;

/** Corners of a box, or of the ellipse in it, as a path of the screen. */
function boxPath(
  shape: Extract<MaskShape, { readonly angle: number }>,
  place: CanvasPlace,
  round: boolean,
  share = 1,
): string {
  const [width, height] = [(shape.width / 2) * share, (shape.height / 2) * share];
  const corners = round
    ? Array.from({ length: 72 }, (_, step) => {
        const turn = (step * Math.PI) / 36;
        return [Math.cos(turn) * width, Math.sin(turn) * height] as const;
      })
    : ([
        [-width, -height],
        [width, -height],
        [width, height],
        [-width, height],
      ] as const);
  const points = corners.map(([across, along]) => onScreen(place, fromBox(shape, across, along)));
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
}

/** A line across a gradient at one of its ends, as far as the screen reaches. */
function acrossPath(at: Point, towards: Point): string {
  const [dx, dy] = [towards.x - at.x, towards.y - at.y];
  const length = Math.hypot(dx, dy);
  if (length < 1) return '';
  const [x, y] = [(-dy / length) * 4000, (dx / length) * 4000];
  return `M${at.x - x} ${at.y - y}L${at.x + x} ${at.y + y}`;
}

function outlineOf(shape: MaskShape, place: CanvasPlace): string {
  switch (shape.kind) {
    case 'rectangle':
      return boxPath(shape, place, false);
    case 'ellipse':
      return boxPath(shape, place, true);
    case 'radial':
      return boxPath(shape, place, true) + boxPath(shape, place, true, shape.inner);
    case 'linear': {
      const from = onScreen(place, { x: shape.fromX, y: shape.fromY });
      const to = onScreen(place, { x: shape.toX, y: shape.toY });
      return `M${from.x} ${from.y}L${to.x} ${to.y}${acrossPath(from, to)}${acrossPath(to, from)}`;
    }
    case 'brush':
      return '';
  }
}

function Outline({ shape, place }: Pick<ShapeHandlesProps, 'shape' | 'place'>) {
  const path = outlineOf(shape, place);
  return (
    <svg className="mask-outline" aria-hidden="true">
      <path d={path} className="mask-outline-under" />
      <path d={path} className="mask-outline-line" />
    </svg>
  );
}
