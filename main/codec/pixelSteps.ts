// What is done to a result on its way into a file: resized in linear light, converted to another colour space, rounded to the
// file's depth with or without dither. Each step is left out where nothing is asked; then the engine's samples are the file's.

import type { ExportOptions } from '../../core/exportOptions';
import { fullScale, type Samples } from '../../core/pass';
import { type ContainerSampleType, createTiffContainer, samplesIn } from '../../core/tiffContainer';
import { fromLight, srgbCurve, type ToneCurve, toLight } from '../../core/toneCurve';
import { convertsColour, createFileSamples, type EncodeSubject, exportedSize, workingDepth } from './exportFormat';
import { curveOfProfile } from './profileCurve';
import { readRaw } from './rawSamples';
import { sharp } from './sharp';

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly samples: Samples;
}

const hasAlpha = (channels: number) => channels === 2 || channels === 4;

/** Applies `change` to every colour sample, not to alpha. */
function changeColours(samples: Samples, channels: number, change: (value: number) => number): void {
  const colours = hasAlpha(channels) ? channels - 1 : channels;
  for (let pixel = 0; pixel < samples.length; pixel += channels)
    for (let index = pixel; index < pixel + colours; index += 1) samples[index] = change(samples[index] ?? 0);
}

/** Samples in another depth; integers are rounded half up and cut to their range. */
export function toDepth(samples: Samples, from: ContainerSampleType, to: ContainerSampleType): Samples {
  if (from === to) return samples;
  const scale = fullScale[to] / fullScale[from];
  if (to === 'f32') return Float32Array.from(samples, (value) => value * scale);
  const result = to === 'u8' ? new Uint8Array(samples.length) : new Uint16Array(samples.length);
  const largest = fullScale[to];
  for (let index = 0; index < samples.length; index += 1) {
    const value = (samples[index] ?? 0) * scale;
    result[index] = value <= 0 ? 0 : value >= largest ? largest : Math.floor(value + 0.5);
  }
  return result;
}

/** A number of 0…1 that depends on nothing but its place: the same picture gives the same file. */
function noiseAt(place: number): number {
  let bits = Math.imul(place ^ 0x9e3779b9, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  bits ^= bits >>> 16;
  return (bits >>> 0) / 2 ** 32;
}

/** Samples as 8 bits with triangular noise of one level; alpha, black and white are rounded as they are. */
export function dithered(samples: Samples, from: ContainerSampleType, channels: number): Uint8Array {
  const scale = 255 / fullScale[from];
  const result = new Uint8Array(samples.length);
  const colours = hasAlpha(channels) ? channels - 1 : channels;
  for (let index = 0; index < samples.length; index += 1) {
    const value = (samples[index] ?? 0) * scale;
    const plainColour = index % channels < colours && value > 0 && value < 255;
    const noise = plainColour ? noiseAt(2 * index) + noiseAt(2 * index + 1) - 1 : 0;
    result[index] = Math.min(255, Math.max(0, Math.floor(value + noise + 0.5)));
  }
  return result;
}

/** The picture at another size, by Lanczos filters of three lobes over linear light, colour weighted by alpha. */
async function resized(
  bytes: Uint8Array<ArrayBuffer>,
  pixels: Pixels,
  curve: ToneCurve,
  options: ExportOptions,
): Promise<Pixels> {
  const { channels } = pixels;
  const size = exportedSize(pixels, options);
  changeColours(pixels.samples, channels, (value) => toLight(curve, value));
  const open = () =>
    sharp(bytes, { ignoreIcc: true, limitInputPixels: false }).resize({ ...size, fit: 'fill', kernel: 'lanczos3' });
  const space = channels <= 2 ? 'b-w' : 'scrgb';
  const raw = await readRaw(open, { depth: 'float', space }, channels === 2);
  const samples = new Float32Array(raw.data.buffer, raw.data.byteOffset, raw.data.length / 4);
  changeColours(samples, channels, (light) => fromLight(curve, light));
  return { ...size, channels, samples };
}

/** The codec's names of its own profiles. */
export const builtInNames = { srgb: 'srgb', displayP3: 'p3' } as const;
const builtIn = new Map<string, Promise<Uint8Array>>();

/** The colour engine's own profile of a space. */
export function profileOf(space: keyof typeof builtInNames): Promise<Uint8Array> {
  const made =
    builtIn.get(space) ??
    sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
      .withIccProfile(builtInNames[space])
      .png()
      .toBuffer()
      .then(async (file) => Uint8Array.from((await sharp(file).metadata()).icc ?? []));
  builtIn.set(space, made);
  return made;
}

/**
 * Samples of 8 or 16 bits in another colour space, by Little CMS inside the codec. In 8 bits it computes each colour; in 16
 * it reads a table between whose points it interpolates, which is up to ΔE 1.4 off at the edge of the gamut.
 */
async function converted(
  pixels: Pixels,
  depth: Exclude<ContainerSampleType, 'f32'>,
  source: Uint8Array | null,
  target: keyof typeof builtInNames,
): Promise<Pixels> {
  const { width, height, channels } = pixels;
  const profile = source ?? (await profileOf('srgb'));
  const container = createTiffContainer(pixels, channels, depth, { profile });
  container.samples.set(pixels.samples);
  // With its profile ignored at first, the codec converts once, from it to the target, and not by way of a third space.
  const open = () =>
    sharp(container.bytes, { ignoreIcc: true, limitInputPixels: false }).withIccProfile(builtInNames[target]);
  const layout =
    depth === 'u8' ? ({ depth: 'uchar', space: 'srgb' } as const) : ({ depth: 'ushort', space: 'rgb16' } as const);
  const { data } = await readRaw(open, layout, false);
  const samples =
    depth === 'u8'
      ? new Uint8Array(data.buffer, data.byteOffset, data.length)
      : new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  return { width, height, channels, samples };
}

/** The samples that the encoder takes, and the subject that they make. `bytes` holds what createExportSamples made, filled. */
export async function preparePixels(
  subject: EncodeSubject,
  bytes: Uint8Array<ArrayBuffer>,
  options: ExportOptions,
): Promise<{ readonly subject: EncodeSubject; readonly bytes: Uint8Array<ArrayBuffer> }> {
  const { channels } = subject;
  const converts = convertsColour(subject, options);
  const dither = options.dither && subject.sampleType === 'u8';
  const working = workingDepth(subject, options);
  if (!options.resize && !converts && !dither) return { subject, bytes };
  const samples = samplesIn(bytes, subject.width * subject.height * channels, working);
  let pixels: Pixels = { width: subject.width, height: subject.height, channels, samples };
  // The picture's own curve, as the engine has it.
  if (options.resize) {
    const curve = curveOfProfile(subject.iccProfile, channels).curve ?? srgbCurve;
    pixels = await resized(bytes, pixels, curve, options);
  }
  const atDepth = dither
    ? dithered(pixels.samples, working, channels)
    : toDepth(pixels.samples, working, subject.sampleType);
  pixels = { ...pixels, samples: atDepth };
  let { iccProfile } = subject;
  if (converts && options.profile !== 'keep' && subject.sampleType !== 'f32') {
    pixels = await converted(pixels, subject.sampleType, iccProfile, options.profile);
    iccProfile = await profileOf(options.profile);
  }
  const { width, height } = pixels;
  const prepared: EncodeSubject = { ...subject, width, height, iccProfile };
  const container = createFileSamples(prepared, options.format);
  container.samples.set(pixels.samples);
  return { subject: prepared, bytes: container.bytes };
}
