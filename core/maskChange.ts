// What of a mask a stroke changes, so that only that has to be computed and drawn anew.

import type { Rectangle } from './geometry';
import { type BrushStroke, type Mask, type MaskShape, smallestFeather } from './mask';

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Points, as numbers, that two paths begin with alike. */
function commonPoints(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a[same] === b[same]) same += 1;
  return same - (same % 2);
}

/** The pixels that the lines of a stroke may touch, from the point at `from` on. */
function reachOf({ size, points }: BrushStroke, from: number): Rectangle | null {
  const [xs, ys] = [0, 1].map((axis) => points.slice(from).filter((_, index) => index % 2 === axis));
  if (!xs?.length || !ys?.length) return null;
  // A pixel beyond what the brush reaches, for rounding.
  const reach = size / 2 + 1.5;
  const [x, y] = [Math.floor(Math.min(...xs) - reach), Math.floor(Math.min(...ys) - reach)];
  return { x, y, width: Math.ceil(Math.max(...xs) + reach) - x, height: Math.ceil(Math.max(...ys) + reach) - y };
}

/** Where two strokes of a place differ; undefined is none there. */
function strokeChange(a: BrushStroke | undefined, b: BrushStroke | undefined): readonly (Rectangle | null)[] {
  if (isSame(a, b)) return [];
  const { points: before = [], ...oldBrush } = a ?? {};
  const { points: after = [], ...newBrush } = b ?? {};
  const grown = a !== undefined && b !== undefined && isSame(oldBrush, newBrush);
  // The line to the first new point begins at the last common one.
  const from = grown ? Math.max(0, commonPoints(before, after) - 2) : 0;
  return [a, b].flatMap((stroke) => (stroke === undefined ? [] : reachOf(stroke, from)));
}

function shapeChange(a: MaskShape | undefined, b: MaskShape | undefined): readonly (Rectangle | null)[] | null {
  if (isSame(a, b)) return [];
  if (a?.kind !== 'brush' || b?.kind !== 'brush' || a.combine !== b.combine) return null;
  const strokes = Math.max(a.strokes.length, b.strokes.length);
  return Array.from({ length: strokes }, (_, index) => strokeChange(a.strokes[index], b.strokes[index])).flat();
}

/**
 * A rectangle outside of which two masks of a picture are the same, pixel for pixel, where they differ in nothing but strokes of
 * their brushes; null where more differs. Empty where they are the same.
 */
export function maskChange(a: Mask, b: Mask): Rectangle | null {
  if (a === b) return { x: 0, y: 0, width: 0, height: 0 };
  const { shapes: before, ...one } = a;
  const { shapes: after, ...other } = b;
  if (a.feather >= smallestFeather || before.length !== after.length || !isSame(one, other)) return null;
  const changes = before.map((shape, index) => shapeChange(shape, after[index]));
  if (changes.includes(null)) return null;
  const touched = changes.flatMap((change) => change ?? []).filter((change) => change !== null);
  if (touched.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...touched.map((change) => change.x));
  const y = Math.min(...touched.map((change) => change.y));
  const right = Math.max(...touched.map((change) => change.x + change.width));
  const bottom = Math.max(...touched.map((change) => change.y + change.height));
  return { x, y, width: right - x, height: bottom - y };
}
