// A mask: where in the picture a filter works, and how much. A short list of shapes in pixels of the picture, with an
// optional range of brightness; the engine makes a picture of one channel of it (native/engine/mask_raster.h says how).

import type { Size } from './geometry';

/**
 * How a shape of coverage s meets the coverage m of those before it. add: m + s − m·s. subtract: m·(1 − s).
 * intersect: m·s.
 */
export const maskCombinations = ['add', 'subtract', 'intersect'] as const;
export type MaskCombination = (typeof maskCombinations)[number];

/** A box that may be turned: its centre, its sides before it is turned, and the angle in degrees counter-clockwise. */
export interface MaskBox extends Size {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/**
 * One movement of the brush, along the lines between its points. A pixel's coverage is that of the nearest point of the path:
 * `flow` to the share `hardness` of the radius, and from there a smooth fall to 0 at the radius. Thus a stroke is the
 * maximum of infinitely many dabs, which no order and no spacing changes; strokes after one another add up, or take away.
 */
export interface BrushStroke {
  /** Diameter, pixels. */
  readonly size: number;
  readonly hardness: number;
  readonly flow: number;
  /** Takes away from the strokes before it instead of adding. */
  readonly erases: boolean;
  /** x, y of each point, one after another. */
  readonly points: readonly number[];
}

/**
 * Positions are pixels of the upright picture: (0, 0) is its corner, and pixel (i, j) reaches from (i, j) to (i + 1, j + 1).
 * A shape without extent covers nothing.
 * - linear: full at `from` and behind it, falling in a straight line to nothing at `to`.
 * - radial: full to the share `inner` of the way from the centre to the ellipse, falling in a straight line to nothing there.
 */
export type MaskGeometry =
  | ({ readonly kind: 'rectangle' } & MaskBox)
  | ({ readonly kind: 'ellipse' } & MaskBox)
  | {
      readonly kind: 'linear';
      readonly fromX: number;
      readonly fromY: number;
      readonly toX: number;
      readonly toY: number;
    }
  | ({ readonly kind: 'radial'; readonly inner: number } & MaskBox)
  | { readonly kind: 'brush'; readonly strokes: readonly BrushStroke[] };

export type MaskShapeKind = MaskGeometry['kind'];
export const maskShapeKinds: readonly MaskShapeKind[] = ['rectangle', 'ellipse', 'linear', 'radial', 'brush'];
export type MaskShape = { readonly combine: MaskCombination } & MaskGeometry;

/**
 * Where the picture is as bright as this: full from `low` to `high`, falling in a straight line to nothing `softness` beyond
 * either; shares of full scale. A `low` of 0 and a `high` of 1 have no end. Brightness is that of the document's picture,
 * not of what filters before have made of it, so that no slider of theirs moves the mask: 0.2126 R + 0.7152 G + 0.0722 B
 * (Rec. ITU-R BT.709) of the stored values.
 */
export interface LuminanceRange {
  readonly low: number;
  readonly high: number;
  readonly softness: number;
}

/**
 * Shapes, in order, then the range of brightness, then `inverted`, then a Gaussian of `feather` (σ in pixels; under
 * `smallestFeather` none). A mask starts from nothing where its first shape adds, and from the whole picture where that
 * subtracts or intersects, or where there is none. `width` and `height`: of the picture that it was made on, and on which
 * alone it can be used.
 */
export interface Mask extends Size {
  readonly shapes: readonly MaskShape[];
  readonly luminance?: LuminanceRange | undefined;
  readonly inverted: boolean;
  readonly feather: number;
}

export const maximumMaskShapes = 64;
/** Most strokes of one brush, and most points of all strokes of a mask. */
export const maximumStrokes = 1000;
export const maximumMaskPoints = 50_000;
/** Largest and smallest x and y: twice the longest side of a picture. */
export const largestCoordinate = 2 ** 21;
export const largestBrush = 10_000;
export const smallestFlow = 0.01;
/** σ below which a Gaussian changes no 16-bit value. */
export const smallestFeather = 0.1;

/** The mask of the whole picture. */
export function wholeMask({ width, height }: Size): Mask {
  return { width, height, shapes: [], inverted: false, feather: 0 };
}

/** Points of all strokes of a mask. */
export function maskPoints({ shapes }: Pick<Mask, 'shapes'>): number {
  return shapes.reduce(
    (sum, shape) =>
      shape.kind === 'brush' ? shape.strokes.reduce((of, { points }) => of + points.length / 2, sum) : sum,
    0,
  );
}

/** The mask for the picture made smaller (or larger) by a factor: every length is so many times as long. */
export function scaleMask(mask: Mask, factor: number): Mask {
  const box = <B extends MaskBox>(shape: B): B => ({
    ...shape,
    ...{ x: shape.x * factor, y: shape.y * factor, width: shape.width * factor, height: shape.height * factor },
  });
  const scaled = (shape: MaskShape): MaskShape => {
    switch (shape.kind) {
      case 'linear':
        return {
          ...shape,
          ...{ fromX: shape.fromX * factor, fromY: shape.fromY * factor },
          ...{ toX: shape.toX * factor, toY: shape.toY * factor },
        };
      case 'brush':
        return {
          ...shape,
          strokes: shape.strokes.map((stroke) => ({
            ...stroke,
            size: stroke.size * factor,
            points: stroke.points.map((value) => value * factor),
          })),
        };
      default:
        return box(shape);
    }
  };
  return { ...mask, shapes: mask.shapes.map(scaled), feather: mask.feather * factor };
}
