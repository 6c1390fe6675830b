// The points by which a person holds a mask's shapes, and what becomes of a shape when one of them is dragged. Pure;
// lengths are pixels of the picture, angles degrees counter-clockwise (y points down).

import { largestCoordinate, type MaskBox, type MaskGeometry, type MaskShape, type MaskShapeKind } from './mask';

export interface MaskPoint {
  readonly x: number;
  readonly y: number;
}

/** Sides and corners by the compass, north up before the box is turned. */
const boxSides = ['n', 'e', 's', 'w'] as const;
const boxCorners = ['ne', 'se', 'sw', 'nw'] as const;
export type BoxHandle = (typeof boxSides)[number] | (typeof boxCorners)[number];
export type HandleName = 'move' | 'rotate' | 'from' | 'to' | 'inner' | BoxHandle;

export interface MaskHandle extends MaskPoint {
  readonly name: HandleName;
}

/** Hundredths of a pixel and of a degree: what is stored stays short. */
const rounded = (value: number) => Math.round(value * 100) / 100 + 0;
const held = (value: number) => rounded(Math.min(largestCoordinate, Math.max(-largestCoordinate, value)));

/** The box's own axes: right and down, before it is turned. */
function axesOf({ angle }: Pick<MaskBox, 'angle'>) {
  const turn = (angle * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
  return { right: { x: cosine, y: -sine }, down: { x: sine, y: cosine } };
}

/** A point of the box's own axes, from its centre, as a point of the picture. */
export function fromBox(box: MaskBox, across: number, along: number): MaskPoint {
  const { right, down } = axesOf(box);
  return { x: box.x + across * right.x + along * down.x, y: box.y + across * right.y + along * down.y };
}

/** A point of the picture along the box's own axes, from its centre. */
function toBox(box: MaskBox, point: MaskPoint): MaskPoint {
  const { right, down } = axesOf(box);
  const [dx, dy] = [point.x - box.x, point.y - box.y];
  return { x: dx * right.x + dy * right.y, y: dx * down.x + dy * down.y };
}

const stepsOf = (name: BoxHandle) => ({
  across: name.includes('e') ? 1 : name.includes('w') ? -1 : 0,
  along: name.includes('s') ? 1 : name.includes('n') ? -1 : 0,
});

/** The rectangle around all strokes of a brush; null where there are none. */
function strokeBounds(shape: Extract<MaskGeometry, { kind: 'brush' }>) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { points } of shape.strokes)
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  return left > right ? null : { left, top, right, bottom };
}

/** Where one holds the shape as a whole; null for a brush without strokes. */
export function middleOf(shape: MaskGeometry): MaskPoint | null {
  switch (shape.kind) {
    case 'linear':
      return { x: (shape.fromX + shape.toX) / 2, y: (shape.fromY + shape.toY) / 2 };
    case 'brush': {
      const bounds = strokeBounds(shape);
      return bounds && { x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2 };
    }
    default:
      return { x: shape.x, y: shape.y };
  }
}

/** The handles of a shape; `reach` is how far the one that turns a box lies above it. */
export function maskHandles(shape: MaskShape, reach: number): readonly MaskHandle[] {
  const middle = middleOf(shape);
  if (middle === null) return [];
  const move: MaskHandle = { name: 'move', ...middle };
  if (shape.kind === 'brush') return [move];
  if (shape.kind === 'linear')
    return [move, { name: 'from', x: shape.fromX, y: shape.fromY }, { name: 'to', x: shape.toX, y: shape.toY }];
  const names: readonly BoxHandle[] = shape.kind === 'rectangle' ? [...boxSides, ...boxCorners] : boxSides;
  const [halfWidth, halfHeight] = [shape.width / 2, shape.height / 2];
  return [
    move,
    ...names.map((name): MaskHandle => {
      const { across, along } = stepsOf(name);
      return { name, ...fromBox(shape, across * halfWidth, along * halfHeight) };
    }),
    { name: 'rotate', ...fromBox(shape, 0, -halfHeight - reach) },
    ...(shape.kind === 'radial' ? [{ name: 'inner' as const, ...fromBox(shape, shape.inner * halfWidth, 0) }] : []),
  ];
}

/** The shape moved by a distance. */
export function moveShape<S extends MaskGeometry>(shape: S, dx: number, dy: number): S {
  const moved = (geometry: MaskGeometry): MaskGeometry => {
    switch (geometry.kind) {
      case 'linear':
        return {
          ...geometry,
          fromX: held(geometry.fromX + dx),
          fromY: held(geometry.fromY + dy),
          toX: held(geometry.toX + dx),
          toY: held(geometry.toY + dy),
        };
      case 'brush':
        return {
          ...geometry,
          strokes: geometry.strokes.map((stroke) => ({
            ...stroke,
            points: stroke.points.map((value, at) => held(value + (at % 2 === 0 ? dx : dy))),
          })),
        };
      default:
        return { ...geometry, x: held(geometry.x + dx), y: held(geometry.y + dy) };
    }
  };
  return { ...shape, ...moved(shape) };
}

/** Turns to this many degrees while Shift is held. */
const turnStep = 15;

function resize<B extends MaskBox>(box: B, name: BoxHandle, to: MaskPoint): B {
  const { across, along } = stepsOf(name);
  const own = toBox(box, to);
  // The side or corner across from the handle stays where it is.
  const fixed = { x: (-across * box.width) / 2, y: (-along * box.height) / 2 };
  const width = across === 0 ? box.width : Math.abs(own.x - fixed.x);
  const height = along === 0 ? box.height : Math.abs(own.y - fixed.y);
  const centre = fromBox(box, across === 0 ? 0 : (own.x + fixed.x) / 2, along === 0 ? 0 : (own.y + fixed.y) / 2);
  const cut = (length: number) => Math.min(largestCoordinate, rounded(length));
  return { ...box, x: held(centre.x), y: held(centre.y), width: cut(width), height: cut(height) };
}

/** The shape with a handle of it put to a point. `steady`: turns in steps. */
export function dragHandle(shape: MaskShape, name: HandleName, to: MaskPoint, steady = false): MaskShape {
  if (name === 'move') {
    const middle = middleOf(shape) ?? to;
    return moveShape(shape, to.x - middle.x, to.y - middle.y);
  }
  if (shape.kind === 'linear') {
    if (name === 'from') return { ...shape, fromX: held(to.x), fromY: held(to.y) };
    return name === 'to' ? { ...shape, toX: held(to.x), toY: held(to.y) } : shape;
  }
  if (shape.kind === 'brush' || name === 'from' || name === 'to') return shape;
  if (name === 'rotate') {
    const degrees = (Math.atan2(shape.x - to.x, shape.y - to.y) * 180) / Math.PI;
    return { ...shape, angle: rounded(steady ? Math.round(degrees / turnStep) * turnStep : degrees) };
  }
  if (name === 'inner') {
    if (shape.kind !== 'radial' || shape.width === 0) return shape;
    return { ...shape, inner: rounded(Math.min(1, Math.max(0, toBox(shape, to).x / (shape.width / 2)))) };
  }
  return resize(shape, name, to);
}

/** Share of a new radial gradient that is full. */
const standardInner = 0.5;

/**
 * The shape that a drag from one point to another draws. `steady`: as wide as high, or at an angle in steps. Boxes reach from
 * corner to corner; a radial gradient grows from its centre.
 */
export function drawnShape(
  kind: Exclude<MaskShapeKind, 'brush'>,
  from: MaskPoint,
  to: MaskPoint,
  steady = false,
): MaskGeometry {
  let [dx, dy] = [to.x - from.x, to.y - from.y];
  if (kind === 'linear') {
    if (steady) {
      const step = (turnStep * Math.PI) / 180;
      const angle = Math.round(Math.atan2(dy, dx) / step) * step;
      const distance = Math.hypot(dx, dy);
      [dx, dy] = [Math.cos(angle) * distance, Math.sin(angle) * distance];
    }
    return { kind, fromX: held(from.x), fromY: held(from.y), toX: held(from.x + dx), toY: held(from.y + dy) };
  }
  if (steady) {
    const side = Math.max(Math.abs(dx), Math.abs(dy));
    [dx, dy] = [dx < 0 ? -side : side, dy < 0 ? -side : side];
  }
  const [width, height] = [rounded(Math.abs(dx)), rounded(Math.abs(dy))];
  if (kind === 'radial')
    return {
      kind,
      ...{ x: held(from.x), y: held(from.y), width: 2 * width, height: 2 * height, angle: 0 },
      inner: standardInner,
    };
  return { kind, x: held(from.x + dx / 2), y: held(from.y + dy / 2), width, height, angle: 0 };
}

/**
 * The points of a path without those that lie within `tolerance` of the line between the others (Douglas and Peucker, 1973).
 */
export function simplifyPath(points: readonly number[], tolerance: number): readonly number[] {
  const count = points.length / 2;
  if (count <= 2) return points;
  const kept = new Uint8Array(count);
  kept[0] = 1;
  kept[count - 1] = 1;
  const ranges: [number, number][] = [[0, count - 1]];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [first, last] = range;
    const [ax, ay] = [points[2 * first] ?? 0, points[2 * first + 1] ?? 0];
    const [dx, dy] = [(points[2 * last] ?? 0) - ax, (points[2 * last + 1] ?? 0) - ay];
    const square = dx * dx + dy * dy;
    let [farthest, distance] = [-1, tolerance];
    for (let at = first + 1; at < last; at += 1) {
      const [px, py] = [(points[2 * at] ?? 0) - ax, (points[2 * at + 1] ?? 0) - ay];
      const along = square === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / square));
      const off = Math.hypot(px - along * dx, py - along * dy);
      if (off > distance) [farthest, distance] = [at, off];
    }
    if (farthest < 0) continue;
    kept[farthest] = 1;
    ranges.push([first, farthest], [farthest, last]);
  }
  return points.filter((_value, at) => kept[Math.floor(at / 2)] === 1);
}
