// Kernels as text and files for other programs: what each format holds is converted — orientation, anchor, divisor, bias — and
// what it cannot hold is listed beside the text. core/kernelCode.ts writes programs; here are the formats that are read back.

import type { CodeSettings } from '../codeText';
import { assertNever } from '../errors';
import {
  absentCells,
  defaultAnchor,
  type Kernel,
  padToCentre,
  resolveDivisor,
  toCorrelation,
  validateKernel,
} from '../kernel';
import { magickKernelText } from '../kernelCode';
import { cut } from '../matrixGrammar';
import { serialiseNpy } from '../npy';
import { writeAcf } from './acf';
import { writeAseprite } from './aseprite';
import { writeGegl } from './gegl';
import { writePillow } from './pillow';
import { writePixInsight } from './pixInsight';
import { svgLimit, writeSvg } from './svg';
import { writeLatex } from './tables';
import { writeVips } from './vips';

export const writtenFormats = [
  'json',
  'csv',
  'csvComma',
  'tsv',
  'numpyArray',
  'matlabMatrix',
  'cArray',
  'magickString',
  'svg',
  'acf',
  'npy',
  'vips',
  'imageJ',
  'gmic',
  'gegl',
  'pillow',
  'aseprite',
  'pixInsight',
  'latex',
] as const;
export type WrittenFormat = (typeof writtenFormats)[number];

/** What a format does not keep of a kernel and its filter. */
export type FormatLoss =
  /** The numbers stand as a correlation; nothing in the text says so. */
  | { readonly kind: 'orientation' }
  | { readonly kind: 'anchor'; readonly x: number; readonly y: number }
  | { readonly kind: 'divisor'; readonly value: number }
  /** Share of full scale. */
  | { readonly kind: 'bias'; readonly value: number }
  /** Weights were rounded; the largest difference of a weight divided by the divisor. */
  | { readonly kind: 'rounding'; readonly largestError: number }
  | { readonly kind: 'cells'; readonly count: number; readonly limit: number }
  /** So many cells that the kernel leaves out stand as 0. */
  | { readonly kind: 'absent'; readonly count: number }
  /** `used`: the format's own word. */
  | { readonly kind: 'border'; readonly used: string }
  | { readonly kind: 'alpha' }
  /** The bias is in code values of 8-bit pictures; deeper ones need another. */
  | { readonly kind: 'depth' };

export interface WrittenKernel {
  readonly format: WrittenFormat;
  /** Bytes for the formats that are no text. */
  readonly content: string | Uint8Array;
  /** Usual ending of a file, with its point. */
  readonly ending: string;
  readonly losses: readonly FormatLoss[];
}

/** What of the filter beside its kernel a format may hold. */
export interface WriteSettings {
  readonly name: string;
  readonly filter: CodeSettings;
}

type LossKind = 'orientation' | 'anchor' | 'divisor' | 'bias';

/** The losses of a plain list of numbers, as far as the kernel has what would be lost. */
function lossesOf(kernel: Kernel, anchor: readonly [number, number], kinds: readonly LossKind[]): FormatLoss[] {
  const { divisor } = resolveDivisor(kernel);
  const losses: FormatLoss[] = [];
  const symmetric = kernel.weights.every(
    (weight, index) => weight === kernel.weights[kernel.weights.length - 1 - index],
  );
  const middle = kernel.width % 2 === 1 && kernel.height % 2 === 1;
  if (kinds.includes('orientation') && !(symmetric && middle)) losses.push({ kind: 'orientation' });
  if (kinds.includes('anchor') && (kernel.anchorX !== anchor[0] || kernel.anchorY !== anchor[1]))
    losses.push({ kind: 'anchor', x: kernel.anchorX, y: kernel.anchorY });
  if (kinds.includes('divisor') && divisor !== 1) losses.push({ kind: 'divisor', value: divisor });
  if (kinds.includes('bias') && kernel.bias !== 0) losses.push({ kind: 'bias', value: kernel.bias });
  return losses;
}

const json = ({ width, height, anchorX, anchorY, weights, absent, divisor, bias, orientation }: Kernel): string => {
  const marks = absent?.includes(1) ? `  "absent": [${absent.join(', ')}],\n` : '';
  const rows = cut(weights, width).map((row) => `    [${row.join(', ')}]`);
  return (
    `{\n  "width": ${width},\n  "height": ${height},\n  "anchor": [${anchorX}, ${anchorY}],\n  "kernel": [\n${rows.join(',\n')}\n  ],\n${marks}` +
    `  "divisor": ${JSON.stringify(divisor)},\n  "bias": ${bias},\n  "orientation": "${orientation}"\n}\n`
  );
};

const geglBorder = {
  zero: 'black',
  constant: 'black',
  replicate: 'clamp',
  reflect: 'clamp',
  mirror: 'clamp',
  wrap: 'loop',
};

/** The kernel in one format. Throws ConvolveError `invalidKernel` where the format cannot hold its size or weights. */
export function writeKernel(format: WrittenFormat, source: Kernel, { name, filter }: WriteSettings): WrittenKernel {
  validateKernel(source);
  const kernel = toCorrelation(source);
  const { width, height, weights } = kernel;
  const { divisor } = resolveDivisor(kernel);
  const rows = cut(weights, width);
  const usual = [defaultAnchor(width), defaultAnchor(height)] as const;
  const centre = [Math.floor((width - 1) / 2), Math.floor((height - 1) / 2)] as const;
  const absent = format === 'json' || format === 'magickString' ? 0 : absentCells(kernel);
  const unmarked: readonly FormatLoss[] = absent === 0 ? [] : [{ kind: 'absent', count: absent }];
  const made = (content: string | Uint8Array, ending: string, losses: readonly FormatLoss[]): WrittenKernel => ({
    format,
    content,
    ending,
    losses: [...losses, ...unmarked],
  });
  const numbersOnly = lossesOf(kernel, usual, ['orientation', 'anchor', 'divisor', 'bias']);
  const withDivisor = lossesOf(kernel, usual, ['orientation', 'anchor', 'bias']);
  const factor = divisor === 1 ? '' : ` / ${divisor}`;
  const border = filter.border.kind;
  const depth: readonly FormatLoss[] = kernel.bias === 0 ? [] : [{ kind: 'depth' }];
  switch (format) {
    case 'json':
      return made(json(source), '.json', []);
    case 'csv':
      return made(rows.map((row) => `${row.join(',')}\r\n`).join(''), '.csv', numbersOnly);
    case 'csvComma':
      return made(
        rows.map((row) => `${row.map((w) => String(w).replace('.', ',')).join(';')}\r\n`).join(''),
        '.csv',
        numbersOnly,
      );
    case 'tsv':
      return made(rows.map((row) => `${row.join('\t')}\n`).join(''), '.tsv', numbersOnly);
    case 'numpyArray':
      return made(
        `np.array([\n${rows.map((row) => `    [${row.join(', ')}],`).join('\n')}\n])${factor}\n`,
        '.py',
        withDivisor,
      );
    case 'matlabMatrix':
      return made(`[\n${rows.map((row) => `  ${row.join(' ')}`).join('\n')}\n]${factor}\n`, '.m', withDivisor);
    case 'cArray': {
      const list = rows.map((row) => `  {${row.join(', ')}}`).join(',\n');
      return made(`static const double kernel[${height}][${width}] = {\n${list}\n};\n`, '.h', numbersOnly);
    }
    case 'magickString':
      return made(
        `${magickKernelText(source)}\n`,
        '.txt',
        lossesOf(kernel, [kernel.anchorX, kernel.anchorY], ['orientation', 'divisor', 'bias']),
      );
    case 'svg': {
      const losses: FormatLoss[] = [];
      if (width * height > svgLimit) losses.push({ kind: 'cells', count: width * height, limit: svgLimit });
      if (border === 'reflect' || border === 'mirror') losses.push({ kind: 'border', used: 'duplicate' });
      if (border === 'constant') losses.push({ kind: 'border', used: 'none' });
      if (filter.alpha === 'straight') losses.push({ kind: 'alpha' });
      return made(writeSvg(source, filter), '.svg', losses);
    }
    case 'acf': {
      const { bytes, largestError, biasError } = writeAcf(source);
      const losses: FormatLoss[] = largestError > 0 ? [{ kind: 'rounding', largestError }] : [];
      if (biasError > 1e-12) losses.push({ kind: 'bias', value: kernel.bias });
      return made(bytes, '.acf', [...losses, ...depth]);
    }
    case 'npy': {
      const [header, data] = serialiseNpy({ item: 'f8', shape: [height, width], values: Float64Array.from(weights) });
      const bytes = new Uint8Array(header.length + data.length);
      bytes.set(header);
      bytes.set(data, header.length);
      return made(bytes, '.npy', numbersOnly);
    }
    case 'vips':
      return made(writeVips(kernel, divisor), '.mat', [...lossesOf(kernel, usual, ['anchor']), ...depth]);
    case 'imageJ': {
      // Normalize divides by the sum, unless that is 0.
      const normal = {
        ...kernel,
        divisor:
          kernel.divisor === 'auto' || divisor === resolveDivisor({ ...kernel, divisor: 'auto' }).divisor ? 1 : divisor,
      };
      // Its Convolver takes odd sizes only.
      const odd = padToCentre(kernel);
      return made(
        cut(odd.weights, odd.width)
          .map((row) => `${row.join(' ')}\n`)
          .join(''),
        '.txt',
        lossesOf(normal, [kernel.anchorX, kernel.anchorY], ['divisor', 'bias']),
      );
    }
    case 'gmic':
      return made(
        `(${rows.map((row) => row.join(',')).join(';')})\n`,
        '.txt',
        lossesOf(kernel, centre, ['orientation', 'anchor', 'divisor', 'bias']),
      );
    case 'gegl':
      return made(writeGegl(kernel, geglBorder[border], filter.alpha === 'weighted'), '.txt', [
        ...(border === 'reflect' || border === 'mirror' ? [{ kind: 'border', used: 'clamp' } as const] : []),
      ]);
    case 'pillow':
      return made(writePillow(kernel), '.py', depth);
    case 'aseprite':
      return made(writeAseprite(kernel, divisor, name, filter.alpha !== 'colourOnly'), '.def', [
        ...lossesOf(kernel, [kernel.anchorX, kernel.anchorY], ['orientation']),
        ...depth,
      ]);
    case 'pixInsight':
      return made(
        // Its filters are squares of an odd side.
        writePixInsight(padToCentre(kernel, true), name),
        '.txt',
        lossesOf(kernel, centre, ['orientation', 'divisor', 'bias']),
      );
    case 'latex':
      return made(writeLatex(kernel, divisor), '.tex', withDivisor);
    default:
      return assertNever(format);
  }
}
