// The door, for plans: every field of a pass that does not fit is refused with a code and its path.

import { describe } from 'vitest';
import { maximumRepeat, variantNames } from '../../core/pass';
import { boxPass, boxWeights, densePass, passOf, weightsOf } from './examples';
import { refusesRuns, untyped, withPass, withWeights } from './refusals';

describe('run refuses a plan with', () => {
  refusesRuns([
    [
      'no list',
      () => ({ passes: untyped(undefined) }),
      { code: 'invalidPlan', subject: 'passes', expected: 'an array', actual: 'undefined' },
    ],
    [
      'a list that is an object',
      () => ({ passes: untyped({ length: 1 }) }),
      { code: 'invalidPlan', subject: 'passes', actual: 'an object' },
    ],
    [
      'a pass that is a number',
      () => ({ passes: untyped([7]) }),
      { code: 'invalidPlan', subject: 'passes[0]', expected: 'an object', actual: '7' },
    ],
    ['no work', () => withPass({ work: null }), { code: 'invalidPlan', subject: 'passes[1].work', actual: 'null' }],
    [
      'an unknown kind of work',
      () => withPass({ work: { kind: 'median' } }),
      {
        code: 'invalidPlan',
        subject: 'passes[1].work.kind',
        expected: 'one of dense, sparse, fft, separable, box, magnitude, diffusion',
        actual: '"median"',
      },
    ],
    [
      'no border',
      () => withPass({ border: undefined }),
      { code: 'invalidPlan', subject: 'passes[1].border', actual: 'undefined' },
    ],
    [
      'an unknown border',
      () => withPass({ border: { kind: 'mirrored' } }),
      { code: 'invalidPlan', subject: 'passes[1].border.kind', actual: '"mirrored"' },
    ],
    [
      'a border name that is very long',
      () => withPass({ border: { kind: 'ä'.repeat(1000) } }),
      { code: 'invalidPlan', subject: 'passes[1].border.kind', actual: `"${'ä'.repeat(20)}…"` },
    ],
    [
      'a constant border without a value',
      () => withPass({ border: { kind: 'constant' } }),
      { code: 'invalidPlan', subject: 'passes[1].border.value', actual: 'undefined' },
    ],
    [
      'a constant border that is not finite',
      () => withPass({ border: { kind: 'constant', value: Number.POSITIVE_INFINITY } }),
      { code: 'invalidPlan', subject: 'passes[1].border.value', actual: 'Infinity' },
    ],
    [
      'an unknown size mode',
      () => withPass({ size: 'full' }),
      { code: 'invalidPlan', subject: 'passes[1].size', expected: 'one of same, valid', actual: '"full"' },
    ],
    [
      'an unknown alpha mode',
      () => withPass({ alpha: true }),
      { code: 'invalidPlan', subject: 'passes[1].alpha', actual: 'true' },
    ],
    [
      'an unknown light mode',
      () => withPass({ light: 2.2 }),
      { code: 'invalidPlan', subject: 'passes[1].light', actual: '2.2' },
    ],
    [
      'no epilogue',
      () => withPass({ epilogue: 1 }),
      { code: 'invalidPlan', subject: 'passes[1].epilogue', actual: '1' },
    ],
    [
      'an epilogue gain as text',
      () => withPass({ epilogue: { result: '1', input: 0, offset: 0 } }),
      { code: 'invalidPlan', subject: 'passes[1].epilogue.result', actual: '"1"' },
    ],
    [
      'an epilogue without input',
      () => withPass({ epilogue: { result: 1, offset: 0 } }),
      { code: 'invalidPlan', subject: 'passes[1].epilogue.input', actual: 'undefined' },
    ],
    [
      'an offset that is no number',
      () => withPass({ epilogue: { result: 1, input: 0, offset: Number.NaN } }),
      { code: 'invalidPlan', subject: 'passes[1].epilogue.offset', actual: 'NaN' },
    ],
    [
      'a variant that is no name',
      () => withPass({ work: { kind: 'dense', weights: boxWeights(3), variant: 3 } }),
      {
        code: 'invalidPlan',
        subject: 'passes[1].work.variant',
        expected: `one of ${variantNames.join(', ')}`,
        actual: '3',
      },
    ],
    [
      'a repeat of 0',
      () => withPass({ repeat: 0 }),
      { code: 'invalidPlan', subject: 'passes[1].repeat', expected: `1 to ${maximumRepeat}`, actual: '0' },
    ],
    [
      'a repeat above the most',
      () => withPass({ repeat: maximumRepeat + 1 }),
      { code: 'invalidPlan', subject: 'passes[1].repeat', actual: String(maximumRepeat + 1) },
    ],
    [
      'a repeat that is no whole number',
      () => withPass({ repeat: 1.5 }),
      { code: 'invalidPlan', subject: 'passes[1].repeat', actual: '1.5' },
    ],
    [
      'an unknown range mode',
      () => withPass({ range: { kind: 'wrap' } }),
      { code: 'invalidPlan', subject: 'passes[1].range.kind', actual: '"wrap"' },
    ],
    [
      'a rescale that was not measured',
      () => withPass({ range: { kind: 'rescale' } }),
      { code: 'invalidPlan', subject: 'passes[1].range.minimum', actual: 'undefined' },
    ],
    [
      'a rescale upside down',
      () => withPass({ range: { kind: 'rescale', minimum: 1, maximum: 0 } }),
      { code: 'invalidPlan', subject: 'passes[1].range.maximum' },
    ],
    [
      'a valid size of which nothing is left',
      () => ({ passes: [boxPass(9, { size: 'valid' })] }),
      { code: 'invalidPlan', subject: 'passes[0].size' },
    ],
  ]);
});

describe('run refuses a kernel with', () => {
  const field = 'passes[1].work.weights';
  refusesRuns([
    [
      'no weights object',
      () => withPass({ work: { kind: 'dense' } }),
      { code: 'invalidKernel', subject: field, actual: 'undefined' },
    ],
    [
      'a width that is not whole',
      () => withWeights({ width: 2.5 }),
      { code: 'invalidKernel', subject: `${field}.width`, actual: '2.5' },
    ],
    [
      'a height that is too large for 32 bits',
      () => withWeights({ height: 2 ** 40 }),
      { code: 'invalidKernel', subject: `${field}.height`, expected: 'a whole number' },
    ],
    [
      'more than 511 cells a side',
      () => ({ passes: [densePass({ ...weightsOf(513, 1, Array<number>(513).fill(1)) })] }),
      { code: 'invalidKernel', subject: 'passes[0].work.weights size', actual: '513 x 1' },
    ],
    [
      'no cells',
      () => ({ passes: [densePass(weightsOf(0, 0, []))] }),
      { code: 'invalidKernel', subject: 'passes[0].work.weights size' },
    ],
    [
      'sides below zero',
      () => withWeights({ width: -3, height: -3 }),
      { code: 'invalidKernel', subject: `${field} size`, actual: '-3 x -3' },
    ],
    ['an anchor outside', () => withWeights({ anchorX: 3 }), { code: 'invalidKernel', subject: `${field}.anchor` }],
    [
      'an anchor that is missing',
      () => withWeights({ anchorY: undefined }),
      { code: 'invalidKernel', subject: `${field}.anchorY` },
    ],
    [
      'a divisor of 0',
      () => withWeights({ divisor: 0 }),
      { code: 'invalidKernel', subject: `${field}.divisor`, actual: '0' },
    ],
    [
      'a divisor that is not a number',
      () => withWeights({ divisor: Number.NaN }),
      { code: 'invalidKernel', subject: `${field}.divisor`, actual: 'NaN' },
    ],
    [
      'too few weights',
      () => withWeights({ weights: new Float64Array(8) }),
      {
        code: 'invalidKernel',
        subject: `${field}.weights`,
        expected: 'a Float64Array of 9',
        actual: 'a Float64Array of 8',
      },
    ],
    [
      'weights of another type',
      () => withWeights({ weights: new Float32Array(9) }),
      { code: 'invalidKernel', subject: `${field}.weights`, actual: 'a Float32Array of 9' },
    ],
    [
      'weights in a plain array',
      () => withWeights({ weights: Array(9).fill(1) }),
      { code: 'invalidKernel', subject: `${field}.weights`, actual: 'an array of 9' },
    ],
    [
      'a weight that is not finite',
      () => withWeights({ weights: Float64Array.of(1, 1, 1, 1, Number.NaN, 1, 1, 1, 1) }),
      { code: 'invalidKernel', subject: `${field}.weights[4]`, expected: 'a finite number', actual: 'NaN' },
    ],
    [
      'no separable pair',
      () => ({ passes: [passOf({ kind: 'separable', weights: { ...boxWeights(3), pairs: [] } })] }),
      { code: 'invalidKernel', subject: 'passes[0].work.weights.pairs' },
    ],
    [
      'a separable column of the wrong length',
      () => ({
        passes: [
          passOf({
            kind: 'separable',
            weights: { ...boxWeights(3), pairs: [{ column: new Float64Array(2), row: new Float64Array(3) }] },
          }),
        ],
      }),
      { code: 'invalidKernel', subject: 'passes[0].work.weights.pairs[0].column', expected: 'a Float64Array of 3' },
    ],
    [
      'a separable row that is not finite',
      () => ({
        passes: [
          passOf({
            kind: 'separable',
            weights: {
              ...boxWeights(3),
              pairs: [{ column: new Float64Array(3), row: Float64Array.of(0, 0, Number.NEGATIVE_INFINITY) }],
            },
          }),
        ],
      }),
      { code: 'invalidKernel', subject: 'passes[0].work.weights.pairs[0].row[2]', actual: '-Infinity' },
    ],
    [
      'a magnitude of one kernel',
      () => withPass({ work: { kind: 'magnitude', x: boxWeights(3) } }),
      { code: 'invalidKernel', subject: 'passes[1].work.y', actual: 'undefined' },
    ],
    [
      'a magnitude with a divisor of 0',
      () => withPass({ work: { kind: 'magnitude', x: boxWeights(3), y: { ...boxWeights(3), divisor: 0 } } }),
      { code: 'invalidKernel', subject: 'passes[1].work.y.divisor' },
    ],
  ]);
});
