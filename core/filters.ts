// The catalogue of filters: for each kind its group, its parameters with their ranges, the published source of its
// kernel, and how it starts. What a filter computes is in core/filterForm.ts.

import {
  type Filter,
  type FilterKind,
  type FilterParameters,
  type FilterSettings,
  gradientOperators,
  maximumFilterRepeat,
} from './document';
import { ConvolveError } from './errors';
import { createKernel, maximumKernelLength, maximumKernelSize } from './kernel';
import { largestCurvatureSigma, largestInnerSigma, largestSigma, largestSigmaRatio } from './kernelShapes';
import { edgeStoppings, type SampleType } from './pass';

/** Groups of the filter list, in the order of the list. */
export const filterGroups = ['blur', 'sharpen', 'edges', 'relief', 'custom'] as const;
export type FilterGroup = (typeof filterGroups)[number];

/** Keys of every parameter that a slider, a field or the command line can set (`kernel` and `name` have their own editors). */
export type ParameterKey =
  | 'sigma'
  | 'width'
  | 'radius'
  | 'length'
  | 'angle'
  | 'neighbours'
  | 'amount'
  | 'direction'
  | 'low'
  | 'high'
  | 'iterations'
  | 'rate'
  | 'ratio'
  | 'stopping'
  | 'conductance'
  | 'threshold'
  | 'operator';
export type ParameterUnit = 'pixels' | 'degrees' | 'factor' | 'percent' | 'none';

interface RangedParameter {
  readonly key: ParameterKey;
  readonly minimum: number;
  readonly maximum: number;
  /** Step of the slider; a typed value may lie between (numbers) or at any whole number (integers). */
  readonly step: number;
  readonly unit: ParameterUnit;
  readonly default: number;
  readonly scale: 'linear' | 'log';
}

/** A number, or a word of a choice. */
export type ParameterValue = number | string;

/** One parameter: what its control looks like and which values it takes. */
export type ParameterSpec = (
  | (RangedParameter & { readonly kind: 'number' | 'integer' })
  | {
      readonly kind: 'choice';
      readonly key: ParameterKey;
      readonly options: readonly ParameterValue[];
      readonly unit: ParameterUnit;
      readonly default: ParameterValue;
    }
) & {
  /** Whether it changes anything of a filter with these other parameters; it always does where absent. */
  readonly matters?: (filter: FilterParameters) => boolean;
};

/** One filter of the catalogue. */
export interface CatalogueEntry {
  readonly kind: FilterKind;
  readonly group: FilterGroup;
  readonly parameters: readonly ParameterSpec[];
  /** What a flat picture becomes: kept as it is, 0, half grey, or whatever the kernel of a custom filter says. */
  readonly flat: 'kept' | 'zero' | 'half' | 'any';
  /** The paper or book that defines the kernel. */
  readonly source: string;
  /** A filter of this kind with default parameters and settings, for a picture of this depth. */
  create(id: string, sampleType: SampleType): Filter;
}

const pixels = { unit: 'pixels', scale: 'log' } as const;
const sigma = (value: number, minimum = 0.1, maximum: number = largestSigma): ParameterSpec => ({
  kind: 'number',
  key: 'sigma',
  minimum,
  maximum,
  step: 0.1,
  default: value,
  ...pixels,
});
const amount = (value: number): ParameterSpec => ({
  kind: 'number',
  key: 'amount',
  minimum: 0,
  maximum: 10,
  step: 0.05,
  unit: 'factor',
  default: value,
  scale: 'linear',
});
const percent = (key: 'low' | 'high', value: number): ParameterSpec => ({
  kind: 'number',
  key,
  minimum: 0,
  maximum: 100,
  step: 0.5,
  unit: 'percent',
  default: value,
  scale: 'linear',
});
/** Percent of full scale: about the noise of a photo, and less than most edges. */
export const standardConductance = 5;
const neighbours: ParameterSpec = { kind: 'choice', key: 'neighbours', options: [4, 8], unit: 'none', default: 4 };
const direction = (value: number): ParameterSpec => ({
  kind: 'choice',
  key: 'direction',
  options: [0, 1, 2, 3, 4, 5, 6, 7],
  unit: 'none',
  default: value,
});

/**
 * Settings every new filter starts with.
 * - border mirror (dcb|abcd): the rim keeps the local mean and its slope, so a wide blur leaves no streaks of the edge
 *   pixel and an edge filter finds no edge along the frame; it is OpenCV's default too.
 * - alpha weighted: hidden colour never leaks, an opaque picture stays opaque.
 * - light encoded: the numbers people know from other editors and books.
 * - range clamp for integer pictures, as their files can hold nothing else; float for float pictures, which lose nothing.
 */
export function defaultSettings(id: string, sampleType: SampleType): FilterSettings {
  return {
    id,
    enabled: true,
    border: { kind: 'mirror' },
    size: 'same',
    alpha: 'weighted',
    light: 'encoded',
    range: sampleType === 'u8' || sampleType === 'u16' ? 'clamp' : 'float',
  };
}

function entry(
  start: FilterParameters,
  group: FilterGroup,
  flat: CatalogueEntry['flat'],
  source: string,
  parameters: readonly ParameterSpec[] = [],
): CatalogueEntry {
  return {
    kind: start.kind,
    group,
    flat,
    source,
    parameters,
    create: (id, sampleType) => ({ ...defaultSettings(id, sampleType), ...start }),
  };
}

const identityCells = [0, 0, 0, 0, 1, 0, 0, 0, 0];

/** Every filter, in the order of the list. */
export const catalogue: readonly CatalogueEntry[] = [
  entry(
    { kind: 'gaussian', sigma: 3 },
    'blur',
    'kept',
    'Sampled Gaussian, normalised: Gonzalez and Woods, Digital Image Processing, 4th ed., 3.5',
    [sigma(3)],
  ),
  entry(
    { kind: 'box', width: 5 },
    'blur',
    'kept',
    'Box (mean) kernel: Gonzalez and Woods, Digital Image Processing, 4th ed., 3.5',
    [{ kind: 'integer', key: 'width', minimum: 1, maximum: maximumKernelLength, step: 2, default: 5, ...pixels }],
  ),
  entry(
    { kind: 'lens', radius: 6 },
    'blur',
    'kept',
    'Uniform disk of defocus, rim by exact area: Goodman, Introduction to Fourier Optics, 6.4',
    [{ kind: 'number', key: 'radius', minimum: 0.5, maximum: 250, step: 0.5, default: 6, ...pixels }],
  ),
  entry(
    { kind: 'motion', length: 15, angle: 0 },
    'blur',
    'kept',
    'Line of uniform motion, weight 1 − distance to it: MATLAB fspecial motion',
    [
      { kind: 'number', key: 'length', minimum: 1, maximum: maximumKernelSize, step: 1, default: 15, ...pixels },
      {
        kind: 'number',
        key: 'angle',
        minimum: -360,
        maximum: 360,
        step: 1,
        unit: 'degrees',
        default: 0,
        scale: 'linear',
      },
    ],
  ),
  entry(
    { kind: 'binomial', width: 5 },
    'blur',
    'kept',
    "Rows of Pascal's triangle: Jähne, Digital Image Processing, 6th ed., 11.4",
    [{ kind: 'integer', key: 'width', minimum: 1, maximum: 31, step: 2, unit: 'pixels', default: 5, scale: 'linear' }],
  ),
  entry(
    { kind: 'diffusion', iterations: 20, rate: 0.2, stopping: 'none', conductance: standardConductance },
    'blur',
    'kept',
    'Heat equation by forward differences, stable to 1/4: Press et al., Numerical Recipes, 3rd ed., 20.2; stopped by edges: Perona and Malik, Scale-Space and Edge Detection Using Anisotropic Diffusion, IEEE TPAMI 12(7), 1990',
    [
      {
        kind: 'integer',
        key: 'iterations',
        minimum: 1,
        maximum: maximumFilterRepeat,
        step: 1,
        unit: 'none',
        default: 20,
        scale: 'log',
      },
      {
        kind: 'number',
        key: 'rate',
        minimum: 0.01,
        maximum: 0.25,
        step: 0.01,
        unit: 'none',
        default: 0.2,
        scale: 'linear',
      },
      { kind: 'choice', key: 'stopping', options: ['none', ...edgeStoppings], unit: 'none', default: 'none' },
      {
        kind: 'number',
        key: 'conductance',
        minimum: 0.1,
        maximum: 100,
        step: 0.1,
        unit: 'percent',
        default: standardConductance,
        scale: 'log',
        matters: (filter) => filter.kind === 'diffusion' && filter.stopping !== undefined && filter.stopping !== 'none',
      },
    ],
  ),
  entry(
    { kind: 'sharpen', neighbours: 4, amount: 1 },
    'sharpen',
    'kept',
    'Identity minus the Laplacian: Gonzalez and Woods, Digital Image Processing, 4th ed., 3.6',
    [neighbours, amount(1)],
  ),
  entry(
    { kind: 'unsharp', sigma: 2, amount: 1, threshold: 0 },
    'sharpen',
    'kept',
    'Unsharp masking: picture + amount × (picture − Gaussian): Gonzalez and Woods, 4th ed., 3.6; threshold of each channel as in the unsharp mask of OpenCV, documentation of cv::MatExpr',
    [
      sigma(2),
      amount(1),
      {
        kind: 'number',
        key: 'threshold',
        minimum: 0,
        maximum: 100,
        step: 0.1,
        unit: 'percent',
        default: 0,
        scale: 'linear',
      },
    ],
  ),
  entry(
    { kind: 'localContrast', sigma: 40, amount: 0.3 },
    'sharpen',
    'kept',
    'Unsharp masking of wide reach and small amount: Gonzalez and Woods, 4th ed., 3.6',
    [sigma(40), amount(0.3)],
  ),
  entry(
    { kind: 'highPass', sigma: 5 },
    'sharpen',
    'half',
    'Picture minus its Gaussian, plus half grey: Gonzalez and Woods, 4th ed., 3.7',
    [sigma(5)],
  ),
  entry(
    { kind: 'laplacianOfGaussian', sigma: 1.4 },
    'sharpen',
    'zero',
    'Laplacian of Gaussian: Marr and Hildreth, Theory of Edge Detection, 1980',
    [sigma(1.4, 0.3, largestCurvatureSigma)],
  ),
  entry(
    { kind: 'differenceOfGaussians', sigma: 1.4, ratio: 1.6 },
    'sharpen',
    'zero',
    'Difference of Gaussians, close to the Laplacian of Gaussian at 1.6: Marr and Hildreth, Theory of Edge Detection, 1980',
    [
      sigma(1.4, 0.1, largestInnerSigma),
      {
        kind: 'number',
        key: 'ratio',
        minimum: 1.05,
        maximum: largestSigmaRatio,
        step: 0.05,
        unit: 'factor',
        default: 1.6,
        scale: 'log',
      },
    ],
  ),
  entry({ kind: 'sobel' }, 'edges', 'zero', 'Sobel and Feldman, 1968; in Duda and Hart, Pattern Classification, 1973'),
  entry({ kind: 'scharr' }, 'edges', 'zero', 'Scharr, Optimale Operatoren in der Digitalen Bildverarbeitung, 2000'),
  entry({ kind: 'prewitt' }, 'edges', 'zero', 'Prewitt, Object Enhancement and Extraction, 1970'),
  entry({ kind: 'roberts' }, 'edges', 'zero', 'Roberts, Machine Perception of Three-Dimensional Solids, 1963'),
  entry(
    { kind: 'laplacian', neighbours: 4 },
    'edges',
    'zero',
    'Discrete Laplacian: Gonzalez and Woods, Digital Image Processing, 4th ed., 3.6',
    [neighbours],
  ),
  entry(
    { kind: 'kirsch', direction: 0 },
    'edges',
    'zero',
    'Kirsch, Computer Determination of the Constituent Structure of Biological Images, 1971',
    [direction(0)],
  ),
  entry(
    { kind: 'canny', sigma: 1.4, low: 4, high: 10 },
    'edges',
    'zero',
    'Canny, A Computational Approach to Edge Detection, IEEE TPAMI 8(6), 1986',
    [sigma(1.4, 0.1, 50), percent('low', 4), percent('high', 10)],
  ),
  entry(
    { kind: 'gradientDirection', operator: 'sobel' },
    'edges',
    'zero',
    'The angle of the gradient: Gonzalez and Woods, Digital Image Processing, 4th ed., 10.2',
    [{ kind: 'choice', key: 'operator', options: gradientOperators, unit: 'none', default: 'sobel' }],
  ),
  entry(
    { kind: 'emboss', direction: 3 },
    'relief',
    'half',
    'Schlag, Fast Embossing Effects on Raster Image Data, Graphics Gems IV, 1994 (Prewitt masks as slopes)',
    [direction(3)],
  ),
  entry(
    { kind: 'custom', name: '', kernel: createKernel(3, 3, identityCells) },
    'custom',
    'any',
    'The weights that a person types',
  ),
];

const entriesByKind = new Map(catalogue.map((record) => [record.kind, record]));

/** The catalogue's record of a kind. */
export function catalogueEntry(kind: FilterKind): CatalogueEntry {
  const record = entriesByKind.get(kind);
  if (!record)
    throw new ConvolveError({ code: 'internal', subject: kind, actual: 'a filter missing in the catalogue' });
  return record;
}

/** The value of a parameter of a filter; undefined where its kind has no such parameter. */
export function parameterValue(filter: FilterParameters, key: ParameterKey): ParameterValue | undefined {
  const value: unknown = (filter as unknown as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}
