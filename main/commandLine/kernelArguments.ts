// `--kernel FILE|TEXT` and the flags that say how its numbers are meant: a text file, a NumPy array or the numbers
// themselves become the kernel of a custom filter.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Filter } from '../../core/document';
import { ConvolveError } from '../../core/errors';
import { catalogueEntry } from '../../core/filters';
import { type KernelNote, parseKernelText } from '../../core/formats';
import { createKernel, type Kernel, type Orientation, resolveDivisor, validateKernel } from '../../core/kernel';
import { isNpy, parseNpy } from '../../core/npy';
import type { SampleType } from '../../core/pass';
import { readPictureFile } from '../pictureFile';
import { inPhase } from './exitCodes';
import { parseNumberWord, type SettingsArguments, usage } from './filterArguments';

/** Flags beside `--kernel`; what is absent is as the text says, or the default. */
export interface KernelArguments {
  readonly orientation?: Orientation;
  readonly anchor?: readonly [x: number, y: number];
  readonly divisor?: number | 'auto';
  /** Share of full scale. */
  readonly bias?: number;
}

export function parseOrientation(text: string): Orientation {
  if (text === 'correlation' || text === 'convolution') return text;
  throw usage('--orientation', 'correlation | convolution', text);
}

export function parseAnchor(text: string): readonly [number, number] {
  const found = /^(\d{1,4}),(\d{1,4})$/.exec(text);
  if (!found) throw usage('--anchor', 'column,row such as 1,1', text);
  return [Number(found[1]), Number(found[2])];
}

export function parseDivisor(text: string): number | 'auto' {
  if (text === 'auto') return 'auto';
  const divisor = parseNumberWord('--divisor', text, 'auto or a number other than 0');
  if (divisor === 0) throw usage('--divisor', 'auto or a number other than 0', text);
  return divisor;
}

/** A kernel with the notes of how it was read. `name` is the file's, or empty for a text. */
export interface KernelRead {
  readonly kernel: Kernel;
  readonly name: string;
  readonly notes: readonly KernelNote[];
}

function kernelOfArray(bytes: Uint8Array, name: string): Kernel {
  const { shape, values } = parseNpy(bytes, name);
  const [height = 0, width = 0] = shape.length === 1 ? [1, shape[0]] : shape;
  if (shape.length > 2 || shape.length === 0)
    throw new ConvolveError({
      code: 'formatUnsupported',
      subject: name,
      expected: 'the shape (height, width)',
      actual: `an array of shape (${shape.join(', ')})`,
    });
  return createKernel(width, height, Array.from(values), { divisor: 1 });
}

/** Words that can only have been meant as a file's name: a usual ending, or a folder (1/3 is a number). */
const looksLikeFile = (text: string) =>
  /\.(txt|csv|tsv|json|npy|dat|kernel|m|py)$/i.test(text) || (/^[\w.-]*:?[/\\]/.test(text) && /[a-df-z]/i.test(text));

async function readKernel(text: string, options: { decimalComma: boolean }): Promise<KernelRead> {
  const isFile =
    text.length < 4096 &&
    (await stat(text).then(
      (found) => !found.isDirectory(),
      () => false,
    ));
  if (!isFile && !looksLikeFile(text)) return { ...parseKernelText(text, options), name: '' };
  const bytes = await inPhase('read', readPictureFile(text));
  const name = path.basename(text);
  if (isNpy(bytes)) return { kernel: kernelOfArray(bytes, name), name, notes: [] };
  return { ...parseKernelText(new TextDecoder().decode(bytes), options), name };
}

/**
 * A custom filter from `--kernel`. A text without a divisor is taken as its numbers stand (divisor 1). Throws
 * ConvolveError: file codes for a file that cannot be read, `invalidKernel` for numbers that are no kernel.
 */
export async function parseKernelArgument(
  text: string,
  id: string,
  sampleType: SampleType,
  settings: SettingsArguments,
  flags: KernelArguments,
  decimalComma: boolean,
): Promise<{ readonly filter: Filter; readonly notes: readonly KernelNote[]; readonly zeroSum: boolean }> {
  const { kernel: read, name, notes } = await inPhase('words', readKernel(text, { decimalComma }));
  const { anchor, ...fields } = flags;
  const kernel: Kernel = { ...read, ...fields, ...(anchor ? { anchorX: anchor[0], anchorY: anchor[1] } : {}) };
  validateKernel(kernel);
  const filter: Filter = {
    ...catalogueEntry('custom').create(id, sampleType),
    ...settings,
    kind: 'custom',
    name,
    kernel,
  };
  return { filter, notes, zeroSum: resolveDivisor(kernel).note === 'zeroSum' };
}
