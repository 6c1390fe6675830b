// Parsers (zod) for filters and stacks: whatever comes from a page, a file or a command line becomes a Filter here or is
// refused with the path of the field that did not fit.

import { z } from 'zod';
import { gradientOperators, maximumFilterRepeat } from './document';
import { maximumFormulaLength } from './formulaGrammar';
import { largestShare, maximumKernelLength, maximumKernelSize } from './kernel';
import { largestCurvatureSigma, largestInnerSigma, largestSigma, largestSigmaRatio } from './kernelShapes';
import { maskSchema } from './maskSchema';
import { blendModes, colourChannels } from './mix';
import { alphaModes, edgeStoppings, lightModes, rangeModes, sizeModes } from './pass';

// zod would otherwise try to compile its parsers from text, which the page's content policy refuses and reports.
z.config({ jitless: true });

const finite = z.number();
const shareOfScale = finite.min(-largestShare).max(largestShare);

export const borderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('zero') }),
  z.object({ kind: z.literal('constant'), value: shareOfScale }),
  z.object({ kind: z.literal('replicate') }),
  z.object({ kind: z.literal('reflect') }),
  z.object({ kind: z.literal('mirror') }),
  z.object({ kind: z.literal('wrap') }),
]);

const mostWeights = maximumKernelSize * maximumKernelSize;

/** Looked at in one go: an array schema takes ten times as long, a quarter of a second for the largest kernel. */
const weightsSchema = z
  .custom<readonly number[]>(
    (value) => Array.isArray(value) && value.length <= mostWeights && value.every(Number.isFinite),
    `at most ${mostWeights} finite numbers`,
  )
  .meta({ type: 'array', items: { type: 'number' }, maxItems: mostWeights });

export const kernelSchema = z
  .object({
    width: z.int().min(1).max(maximumKernelSize),
    height: z.int().min(1).max(maximumKernelSize),
    anchorX: z.int().min(0),
    anchorY: z.int().min(0),
    weights: weightsSchema,
    absent: z.array(z.int().min(0).max(1)).max(mostWeights).readonly().optional(),
    divisor: z.union([z.literal('auto'), finite.refine((value) => value !== 0, 'a divisor other than 0')]),
    bias: shareOfScale,
    orientation: z.enum(['correlation', 'convolution']),
  })
  .refine((kernel) => kernel.weights.length === kernel.width * kernel.height, 'width × height weights')
  .refine(({ absent, weights }) => absent === undefined || absent.length === weights.length, 'a mark for each weight')
  .refine((kernel) => kernel.anchorX < kernel.width && kernel.anchorY < kernel.height, 'an anchor inside the kernel');

const formulaSchema = z.object({
  text: z.string().max(maximumFormulaLength),
  values: z.record(z.string().max(maximumFormulaLength), finite),
});

const neighboursSchema = z.union([z.literal(4), z.literal(8)]);
const sigmaSchema = finite.min(0.1).max(largestSigma);
const cannySigmaSchema = finite.min(0.1).max(50);
const percentSchema = finite.min(0).max(100);

const parametersSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('gaussian'), sigma: sigmaSchema }),
  z.object({ kind: z.literal('box'), width: z.int().min(1).max(maximumKernelLength) }),
  z.object({ kind: z.literal('lens'), radius: finite.min(0.5).max(250) }),
  z.object({
    kind: z.literal('motion'),
    length: finite.min(1).max(maximumKernelSize),
    angle: finite.min(-360).max(360),
  }),
  z.object({ kind: z.literal('binomial'), width: z.int().min(1).max(31) }),
  z.object({
    kind: z.literal('diffusion'),
    iterations: z.int().min(1).max(maximumFilterRepeat),
    rate: finite.min(0.01).max(0.25),
    stopping: z.enum(['none', ...edgeStoppings]).optional(),
    conductance: finite.min(0.1).max(100).optional(),
  }),
  z.object({ kind: z.literal('sharpen'), neighbours: neighboursSchema, amount: finite.min(0).max(10) }),
  z.object({
    kind: z.literal('unsharp'),
    sigma: sigmaSchema,
    amount: finite.min(0).max(10),
    threshold: percentSchema.optional(),
  }),
  z.object({ kind: z.literal('localContrast'), sigma: sigmaSchema, amount: finite.min(0).max(10) }),
  z.object({ kind: z.literal('highPass'), sigma: sigmaSchema }),
  z.object({
    kind: z.literal('differenceOfGaussians'),
    sigma: finite.min(0.1).max(largestInnerSigma),
    ratio: finite.min(1.05).max(largestSigmaRatio),
  }),
  z.object({ kind: z.literal('laplacianOfGaussian'), sigma: finite.min(0.3).max(largestCurvatureSigma) }),
  z.object({ kind: z.literal('sobel') }),
  z.object({ kind: z.literal('scharr') }),
  z.object({ kind: z.literal('prewitt') }),
  z.object({ kind: z.literal('roberts') }),
  z.object({ kind: z.literal('laplacian'), neighbours: neighboursSchema }),
  z.object({ kind: z.literal('kirsch'), direction: z.int().min(0).max(7) }),
  z.object({ kind: z.literal('canny'), sigma: cannySigmaSchema, low: percentSchema, high: percentSchema }),
  z.object({ kind: z.literal('gradientDirection'), operator: z.enum(gradientOperators) }),
  z.object({ kind: z.literal('emboss'), direction: z.int().min(0).max(7) }),
  z.object({
    kind: z.literal('custom'),
    name: z.string().max(200),
    kernel: kernelSchema,
    formula: formulaSchema.optional(),
  }),
]);

const mixSchema = z.object({
  opacity: finite.min(0).max(1),
  blend: z.enum(blendModes),
  channels: z.union([
    z.enum(['all', 'luminance']),
    z
      .array(z.enum(colourChannels))
      .min(1)
      .max(colourChannels.length)
      .refine((names) => new Set(names).size === names.length, 'each channel once')
      .readonly(),
  ]),
});

const settingsSchema = z.object({
  id: z.string().min(1).max(64),
  enabled: z.boolean(),
  border: borderSchema,
  size: z.enum(sizeModes),
  alpha: z.enum(alphaModes),
  light: z.enum(lightModes),
  range: z.enum(rangeModes),
  rank: z.int().min(1).max(maximumKernelSize).exactOptional(),
  repeat: z.int().min(1).max(maximumFilterRepeat).optional(),
  mask: maskSchema.optional(),
  mix: mixSchema.optional(),
  label: z.string().max(200).optional(),
});

export const filterSchema = z.intersection(settingsSchema, parametersSchema);
export const stackSchema = z.array(filterSchema).max(64).readonly();

/** Parser of the paths that can be asked for by name. */
export const pathChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['auto', 'dense', 'separable', 'box', 'sparse', 'fft']) }),
  z.object({ kind: z.literal('rank'), rank: z.int().min(1).max(maximumKernelSize) }),
]);
export type NamedPath = z.infer<typeof pathChoiceSchema>;
