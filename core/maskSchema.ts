// Parser (zod) of masks: what comes from a page, a file or a command line becomes a Mask or is refused with the place and
// the limit that it broke.

import { z } from 'zod';
import { largestSigma } from './kernelShapes';
import {
  largestBrush,
  largestCoordinate,
  maskCombinations,
  maskPoints,
  maximumMaskPoints,
  maximumMaskShapes,
  maximumStrokes,
  smallestFlow,
} from './mask';

const share = z.number().min(0).max(1);
const coordinate = z.number().min(-largestCoordinate).max(largestCoordinate);
const box = {
  x: coordinate,
  y: coordinate,
  width: z.number().min(0).max(largestCoordinate),
  height: z.number().min(0).max(largestCoordinate),
  angle: z.number().min(-360).max(360),
};
const combine = z.enum(maskCombinations);

const strokeSchema = z.object({
  size: z.number().min(1).max(largestBrush),
  hardness: share,
  flow: z.number().min(smallestFlow).max(1),
  erases: z.boolean(),
  points: z
    .array(coordinate)
    .min(2)
    .max(2 * maximumMaskPoints)
    .readonly()
    .refine((points) => points.length % 2 === 0, 'an x and a y for each point'),
});

const shapeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rectangle'), combine, ...box }),
  z.object({ kind: z.literal('ellipse'), combine, ...box }),
  z.object({
    kind: z.literal('linear'),
    combine,
    fromX: coordinate,
    fromY: coordinate,
    toX: coordinate,
    toY: coordinate,
  }),
  z.object({ kind: z.literal('radial'), combine, ...box, inner: share }),
  z.object({ kind: z.literal('brush'), combine, strokes: z.array(strokeSchema).max(maximumStrokes).readonly() }),
]);

const luminanceSchema = z
  .object({ low: share, high: share, softness: share })
  .refine(({ low, high }) => low <= high, 'low at most high');

const side = z
  .int()
  .min(1)
  .max(2 ** 20);

export const maskSchema = z
  .object({
    width: side.describe('Width of the picture that the mask was made on, pixels.'),
    height: side.describe('Height of the picture that the mask was made on, pixels.'),
    shapes: z.array(shapeSchema).max(maximumMaskShapes).readonly(),
    luminance: luminanceSchema.optional(),
    inverted: z.boolean(),
    feather: z.number().min(0).max(largestSigma).describe('σ of a Gaussian, pixels.'),
  })
  .refine((mask) => maskPoints(mask) <= maximumMaskPoints, `at most ${maximumMaskPoints} points of strokes`);
