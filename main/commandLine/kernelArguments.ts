// `--kernel FILE|TEXT` and the flags that say how its numbers are meant: a file of a kernel, a picture of one or the numbers
// themselves become the kernel of a custom filter.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Filter } from '../../core/document';
import { catalogueEntry } from '../../core/filters';
import type { KernelNote, KernelTextOptions } from '../../core/formats';
import { readKernelFile, readKernelText } from '../../core/interchange/read';
import type { KernelReading, ReadKernel } from '../../core/interchange/reading';
import { type Kernel, type Orientation, resolveDivisor, turn, validateKernel } from '../../core/kernel';
import type { SampleType } from '../../core/pass';
import { kernelFromPicture } from '../../core/pictureKernel';
import { directCodec } from '../codec/directCodec';
import { pictureEndings, sniff } from '../codec/sniff';
import { kernelPictureOf } from '../kernelPicture';
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
  /** Grey value of a picture, in linear light, that becomes the weight 0. */
  readonly zero?: number;
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

/** Words that can only have been meant as a file's name: a usual ending, or a folder (1/3 is a number). */
const looksLikeFile = (text: string) =>
  /\.(txt|csv|tsv|json|npy|npz|dat|kernel|m|mat|py|acf|svg|def|tex|md|krn|filters?)$/i.test(text) ||
  pictureEndings.some((ending) => text.toLowerCase().endsWith(`.${ending}`)) ||
  (/^[\w.-]*:?[/\\]/.test(text) && /[a-df-z]/i.test(text));

type CommandReading = Pick<KernelReading, 'kernels' | 'notes' | 'orientationSaid'>;

/** A picture of what a bright point becomes: it says its orientation itself. */
async function readPicture(bytes: Uint8Array<ArrayBuffer>, name: string, zero: number): Promise<CommandReading> {
  const picture = await kernelPictureOf(directCodec, bytes, name);
  // Floats below zero are meant; the noise below a chosen level is not.
  const below = picture.sampleType === 'f32' && zero === 0 ? 'negative' : 'cut';
  const kernel = kernelFromPicture(picture, { zero, light: 'linear', below });
  return {
    kernels: [{ name: path.parse(name).name, kernel }],
    notes: [{ kind: 'picture', zero }],
    orientationSaid: true,
  };
}

async function readKernel(text: string, options: KernelTextOptions, zero: number): Promise<CommandReading> {
  const isFile =
    text.length < 4096 &&
    (await stat(text).then(
      (found) => !found.isDirectory(),
      () => false,
    ));
  if (!isFile && !looksLikeFile(text)) return readKernelText(text, '', options);
  const bytes = await inPhase('read', readPictureFile(text));
  const name = path.basename(text);
  if (sniff(bytes).kind === 'decodes') return inPhase('read', readPicture(bytes, name, zero));
  return readKernelFile(bytes, name, options);
}

/** The one kernel of a reading. Nobody can be asked here, so that a source of several is refused with their names. */
function onlyKernel({ kernels }: CommandReading, text: string): ReadKernel {
  const [first, ...more] = kernels;
  if (first && more.length === 0) return first;
  const names = kernels.map(({ name }, index) => name || String(index + 1)).join(', ');
  throw usage('--kernel', 'one kernel', `${kernels.length} kernels in ${path.basename(text).slice(0, 60)}: ${names}`);
}

/** Whether the orientation changes nothing: the kernel is the same turned by 180°. */
function isSymmetric(kernel: Kernel): boolean {
  const turned = turn(kernel);
  const { anchorX, anchorY, weights } = kernel;
  return turned.anchorX === anchorX && turned.anchorY === anchorY && turned.weights.every((w, i) => w === weights[i]);
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
  const { anchor, zero = 0, ...fields } = flags;
  const { orientation } = flags;
  const options = { decimalComma, ...(orientation && { orientation }) };
  const reading = await inPhase('words', readKernel(text, options, zero));
  const { kernel: read, name } = onlyKernel(reading, text);
  const guessed = !reading.orientationSaid && orientation === undefined && !isSymmetric(read);
  const notes = guessed
    ? [...reading.notes, { kind: 'orientation', orientation: read.orientation } as const]
    : reading.notes;
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
