// Every change a person can make to a mask, as functions from values to values. An index that is not there changes nothing;
// a number outside its limits is moved to the nearest end.

import type { Stack } from './document';
import { changeFilter } from './edits';
import { ConvolveError } from './errors';
import { largestSigma } from './kernelShapes';
import {
  type BrushStroke,
  largestBrush,
  largestCoordinate,
  type Mask,
  type MaskCombination,
  type MaskShape,
  maskPoints,
  maximumMaskPoints,
  maximumMaskShapes,
  maximumStrokes,
  smallestFlow,
} from './mask';

/** The filter with this mask, or with null none. */
export function setMask(stack: Stack, id: string, mask: Mask | null): Stack {
  return changeFilter(stack, id, ({ mask: _before, ...filter }) => (mask === null ? filter : { ...filter, mask }));
}

/** The filter with its mask changed; one without a mask is kept. */
export function changeMask(stack: Stack, id: string, change: (mask: Mask) => Mask): Stack {
  return changeFilter(stack, id, (filter) =>
    filter.mask === undefined ? filter : { ...filter, mask: change(filter.mask) },
  );
}

const tooMany = (subject: string, most: number, actual: number) =>
  new ConvolveError({ code: 'invalidArgument', subject, expected: `at most ${most}`, actual: String(actual) });

/** The mask with a shape after the others. Throws `invalidArgument` when it is full. */
export function addShape(mask: Mask, shape: MaskShape): Mask {
  if (mask.shapes.length >= maximumMaskShapes) throw tooMany('mask', maximumMaskShapes, mask.shapes.length + 1);
  return { ...mask, shapes: [...mask.shapes, shape] };
}

export function removeShape(mask: Mask, index: number): Mask {
  return { ...mask, shapes: mask.shapes.filter((_shape, place) => place !== index) };
}

export function changeShape(mask: Mask, index: number, change: (shape: MaskShape) => MaskShape): Mask {
  return { ...mask, shapes: mask.shapes.map((shape, place) => (place === index ? change(shape) : shape)) };
}

export function combineShape(mask: Mask, index: number, combine: MaskCombination): Mask {
  return changeShape(mask, index, (shape) => ({ ...shape, combine }));
}

/** The mask with a stroke more in the brush at `index`. Throws `invalidArgument` beyond the most strokes or points. */
export function addStroke(mask: Mask, index: number, stroke: BrushStroke): Mask {
  const points = maskPoints(mask) + stroke.points.length / 2;
  if (points > maximumMaskPoints) throw tooMany('points of strokes', maximumMaskPoints, points);
  return changeShape(mask, index, (shape) => {
    if (shape.kind !== 'brush') return shape;
    if (shape.strokes.length >= maximumStrokes) throw tooMany('strokes', maximumStrokes, shape.strokes.length + 1);
    return { ...shape, strokes: [...shape.strokes, stroke] };
  });
}

/** The numbers of shapes and strokes that a person can type. */
export type ShapeField = 'x' | 'y' | 'width' | 'height' | 'angle' | 'fromX' | 'fromY' | 'toX' | 'toY' | 'inner';

interface Limits {
  readonly minimum: number;
  readonly maximum: number;
}
const place: Limits = { minimum: -largestCoordinate, maximum: largestCoordinate };
const length: Limits = { minimum: 0, maximum: largestCoordinate };
export const shapeLimits: Readonly<Record<ShapeField, Limits>> = {
  ...{ x: place, y: place, width: length, height: length, angle: { minimum: -360, maximum: 360 } },
  ...{ fromX: place, fromY: place, toX: place, toY: place, inner: { minimum: 0, maximum: 1 } },
};
export const brushLimits = {
  size: { minimum: 1, maximum: largestBrush },
  hardness: { minimum: 0, maximum: 1 },
  flow: { minimum: smallestFlow, maximum: 1 },
} as const;
export const featherLimits: Limits = { minimum: 0, maximum: largestSigma };

/** The fields of a shape's kind, in the order of a form. */
export function shapeFields(shape: Pick<MaskShape, 'kind'>): readonly ShapeField[] {
  switch (shape.kind) {
    case 'rectangle':
    case 'ellipse':
      return ['x', 'y', 'width', 'height', 'angle'];
    case 'radial':
      return ['x', 'y', 'width', 'height', 'angle', 'inner'];
    case 'linear':
      return ['fromX', 'fromY', 'toX', 'toY'];
    case 'brush':
      return [];
  }
}

export function shapeField(shape: MaskShape, field: ShapeField): number {
  return Number((shape as Partial<Record<ShapeField, number>>)[field] ?? 0);
}

/** The shape with a field set to the nearest value that it takes; kinds without that field are kept. */
export function setShapeField(shape: MaskShape, field: ShapeField, value: number): MaskShape {
  if (!shapeFields(shape).includes(field) || Number.isNaN(value)) return shape;
  const { minimum, maximum } = shapeLimits[field];
  // The field is one of this very kind, which the type of a union cannot express.
  return { ...shape, [field]: Math.min(maximum, Math.max(minimum, value)) } as MaskShape;
}
