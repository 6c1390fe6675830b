// A kernel as code to run elsewhere: NumPy, SciPy, OpenCV (Python and C++), MATLAB, ImageMagick, GLSL and CUDA. Orientation,
// anchor and divisor are converted, the border is written out or named, and what a target cannot hold is listed first, in the
// result and at the head of the text. core/arrayCode.ts and core/compiledCode.ts write the texts.

import { matlabCode, numpyCode, opencvPythonCode, scipyCode } from './arrayCode';
import type { CodeKernel, CodeLoss, CodeSettings, CodeWords } from './codeText';
import { cudaCode, glslCode, opencvCppCode } from './compiledCode';
import { assertNever } from './errors';
import { absentCells, isAbsent, type Kernel, resolveDivisor, toCorrelation, validateKernel } from './kernel';
import { cut } from './matrixGrammar';
import { isMixed } from './mix';
import type { Border } from './pass';

export const codeTargets = [
  'numpy',
  'scipy',
  'opencvPython',
  'opencvCpp',
  'matlab',
  'imageMagick',
  'glsl',
  'cuda',
] as const;
export type CodeTarget = (typeof codeTargets)[number];

export interface KernelCode {
  readonly target: CodeTarget;
  readonly text: string;
  readonly losses: readonly CodeLoss[];
}

const magickBorders: Readonly<Record<Border['kind'], string>> = {
  zero: '-background black -virtual-pixel background',
  constant: '-virtual-pixel background',
  replicate: '-virtual-pixel edge',
  reflect: '-virtual-pixel mirror',
  mirror: '-virtual-pixel mirror',
  wrap: '-virtual-pixel tile',
};

/** The kernel as ImageMagick's own string: size, origin and numbers, to be used with Correlate. */
export function magickKernelText(source: Kernel): string {
  const kernel = toCorrelation(source);
  const { width, height, anchorX, anchorY, weights } = kernel;
  const cells = weights.map((weight, index) => (isAbsent(kernel, index) ? 'nan' : weight));
  const rows = cut(cells, width).map((row) => row.join(','));
  return `${width}x${height}+${anchorX}+${anchorY}: ${rows.join(' ')}`;
}

function magickCode({ kernel, divisor, settings, words }: CodeKernel): string {
  const { border } = settings;
  const background = border.kind === 'constant' ? `-background 'gray(${100 * border.value}%)' ` : '';
  return (
    `# ${words.comment('magickCorrelate')}\n` +
    `magick input.png ${background}${magickBorders[border.kind]} \\\n` +
    `  -define convolve:scale=${1 / divisor} -define convolve:bias=${100 * kernel.bias}% \\\n` +
    `  -morphology Correlate '${magickKernelText(kernel)}' \\\n` +
    `  output.png\n`
  );
}

/** Cells that a GLSL shader and CUDA's constant memory (64 KiB) hold. */
const shaderLimit = 1024;
const constantLimit = 16384;

function lossesOf(target: CodeTarget, { kernel, settings }: CodeKernel): readonly CodeLoss[] {
  const { border, size, alpha, light, range } = settings;
  const losses: CodeLoss[] = [];
  const magick = target === 'imageMagick';
  const shader = target === 'glsl' || target === 'cuda';
  if (magick && border.kind === 'mirror') losses.push({ kind: 'border', wanted: 'mirror', used: 'reflect' });
  if (size === 'valid' && (shader || magick)) losses.push({ kind: 'size' });
  if (alpha !== 'straight' && !magick) losses.push({ kind: 'alpha' });
  if (light === 'linear') losses.push({ kind: 'light' });
  if (range === 'absolute' || range === 'signed' || range === 'rescale' || (magick && range === 'float'))
    losses.push({ kind: 'range', wanted: range });
  if (isMixed(settings)) losses.push({ kind: 'mix' });
  if (magick) losses.push({ kind: 'depth' });
  if (shader && kernel.weights.some((weight) => Math.fround(weight) !== weight)) losses.push({ kind: 'precision' });
  const absent = magick ? 0 : absentCells(kernel);
  if (absent > 0) losses.push({ kind: 'absent', count: absent });
  const count = kernel.weights.length;
  const limit = target === 'glsl' ? shaderLimit : constantLimit;
  if (shader && count > limit) losses.push({ kind: 'weights', count, limit });
  return losses;
}

function bodyOf(target: CodeTarget, code: CodeKernel): string {
  switch (target) {
    case 'numpy':
      return numpyCode(code);
    case 'scipy':
      return scipyCode(code);
    case 'opencvPython':
      return opencvPythonCode(code);
    case 'opencvCpp':
      return opencvCppCode(code);
    case 'matlab':
      return matlabCode(code);
    case 'imageMagick':
      return magickCode(code);
    case 'glsl':
      return glslCode(code);
    case 'cuda':
      return cudaCode(code, constantLimit);
    default:
      return assertNever(target);
  }
}

const comments: Readonly<Record<CodeTarget, string>> = {
  numpy: '#',
  scipy: '#',
  opencvPython: '#',
  opencvCpp: '//',
  matlab: '%',
  imageMagick: '#',
  glsl: '//',
  cuda: '//',
};

/**
 * The code of a kernel with a filter's settings, its comments in those words. Losses come first, in the result and as comments
 * at the head of the text (behind GLSL's #version, which must be its first line). Throws ConvolveError `invalidKernel` as
 * `validateKernel`.
 */
export function kernelCode(target: CodeTarget, source: Kernel, settings: CodeSettings, words: CodeWords): KernelCode {
  validateKernel(source);
  const kernel = toCorrelation(source);
  const { width, height, anchorX, anchorY } = kernel;
  const code: CodeKernel = {
    kernel,
    rows: cut(kernel.weights, width),
    divisor: resolveDivisor(kernel).divisor,
    settings,
    words,
    reach: { left: anchorX, right: width - 1 - anchorX, up: anchorY, down: height - 1 - anchorY },
  };
  const losses = lossesOf(target, code);
  const head = losses.map((loss) => `${comments[target]} ${words.notKept(loss)}\n`).join('');
  const body = bodyOf(target, code);
  const version = target === 'glsl' ? body.slice(0, body.indexOf('\n') + 1) : '';
  return { target, text: `${version}${head}${body.slice(version.length)}`, losses };
}
