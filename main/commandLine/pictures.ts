// What a command reads and writes: any picture file or NumPy array in, and a picture in the form that the output's name
// asks for, written whole or not at all.

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Carried } from '../../core/document';
import { type ExportFormat, type ExportOptions, exportFormats } from '../../core/exportOptions';
import type { Size } from '../../core/geometry';
import { isNpy } from '../../core/npy';
import type { Samples, SampleType } from '../../core/pass';
import { type Receipt, receiptText } from '../../core/receipt';
import { warningText } from '../../core/warningText';
import { writeAtomically } from '../atomicWrite';
import { decodePicture } from '../codec/decode';
import { encodePicture } from '../codec/encode';
import { checkExport, createExportSamples, formatExtensions } from '../codec/exportFormat';
import { exportSubject, withReceiptInside } from '../codec/exportSubject';
import { defaultLimits } from '../codec/limits';
import { carriedBy, noMetadata, type PictureMetadata } from '../codec/metadata';
import { decodeNpy, encodeNpy } from '../codec/npy';
import { curveOfProfile, type PictureCurve } from '../codec/profileCurve';
import { requirePicture } from '../codec/sniff';
import { readPictureFile } from '../pictureFile';
import { digestOf } from '../receipt';
import { usage } from './filterArguments';

/** A picture that was read, with what an export carries over. */
export interface InputPicture extends Size {
  readonly name: string;
  readonly samples: Samples;
  readonly channels: number;
  readonly sampleType: SampleType;
  readonly format: string;
  readonly profile: string;
  readonly fileBytes: number;
  /** Of the file. */
  readonly sha256: string;
  /** Page or frame of a file of several, from 1. */
  readonly page: number;
  readonly iccProfile: Uint8Array | null;
  readonly light: PictureCurve;
  readonly metadata: PictureMetadata;
  readonly carries: Carried;
  /** In English, as the command line speaks. */
  readonly warnings: readonly string[];
  /** NumPy arrays only: whether it had a third axis. */
  readonly channelAxis: boolean;
}

/** Reads a picture. Throws the codes of readPictureFile, decodePicture and decodeNpy, naming the file. */
export async function readInput(filePath: string, page = 1): Promise<InputPicture> {
  const bytes = await readPictureFile(filePath, (head, file) => isNpy(head) || requirePicture(head, file));
  const name = path.basename(filePath);
  const fileBytes = bytes.length;
  const sha256 = digestOf([bytes]);
  if (isNpy(bytes)) {
    const array = decodeNpy(bytes, name);
    const light = curveOfProfile(null, array.channels);
    const carries = carriedBy(noMetadata, null, array);
    const nothing = { iccProfile: null, light, metadata: noMetadata, carries, warnings: [] };
    return { ...array, ...nothing, name, fileBytes, sha256, page: 1, format: 'npy', profile: '' };
  }
  const decoded = await decodePicture(bytes, name, defaultLimits, page);
  const warnings = decoded.warnings.map((warning) => warningText(warning));
  return { ...decoded, warnings, name, fileBytes, sha256, page, channelAxis: decoded.channels > 1 };
}

export type OutputFormat = ExportFormat | 'npy';

/** The form that a file name's ending asks for. Throws `usage`. */
export function outputFormat(target: string): OutputFormat {
  const ending = path.extname(target).toLowerCase();
  if (ending === '.npy') return 'npy';
  const format = exportFormats.find((candidate) => formatExtensions[candidate].includes(ending));
  if (format) return format;
  const endings = [...exportFormats.flatMap((candidate) => formatExtensions[candidate]), '.npy'];
  throw usage('--output', `a name that ends in ${endings.join(', ')}`, path.basename(target));
}

/** True where both names lead to the same file, through links too. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  const real = (name: string) => realpath(name).catch(() => path.resolve(name));
  return (await real(a)) === (await real(b));
}

/** The memory a result is computed into, and how it becomes a file. */
export interface Output {
  readonly samples: Samples;
  readonly sampleType: SampleType;
  encode(): Promise<readonly Uint8Array[]>;
}

const arrays = { u8: Uint8Array, u16: Uint16Array, f32: Float32Array, f64: Float64Array } as const;

/**
 * Prepares an output of `size` in the depth `sampleType` where the format can hold it, else in the deepest that it can.
 * Throws imageTooLarge where the format cannot hold the size.
 */
export function createOutput(
  format: OutputFormat,
  size: Size,
  input: InputPicture,
  sampleType: SampleType,
  options: Omit<ExportOptions, 'format'>,
  receipt: Receipt | null,
): Output {
  const { channels, channelAxis } = input;
  const { width, height } = size;
  if (format === 'npy') {
    const samples = new arrays[sampleType](width * height * channels);
    return { samples, sampleType, encode: async () => encodeNpy({ width, height, channels, samples, channelAxis }) };
  }
  const whole: ExportOptions = { ...options, format };
  checkExport(size, channels, whole);
  const plain = exportSubject({ ...input, sampleType }, size, whole);
  const subject =
    receipt && options.receipt === 'inside' ? withReceiptInside(plain, format, receiptText(receipt)) : plain;
  const container = createExportSamples(subject, whole);
  return {
    samples: container.samples,
    sampleType: subject.sampleType,
    encode: () => encodePicture(subject, container, whole),
  };
}

/** Writes the file whole or not at all; returns its bytes. Throws target codes, or cancelled. */
export function writeOutput(target: string, pieces: readonly Uint8Array[], signal: AbortSignal): Promise<number> {
  return writeAtomically(target, pieces, signal);
}
