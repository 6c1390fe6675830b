// Turns the bytes of a picture file into samples: what the content is (not the name), upright, in the file's own depth and
// colour numbers, straight alpha, first page. Every refusal says which file and why; damage that leaves something to show
// becomes a warning.

import type { Carried } from '../../core/document';
import { ConvolveError } from '../../core/errors';
import type { Size } from '../../core/geometry';
import type { SampleType } from '../../core/pass';
import type { PictureWarning } from '../../core/warningText';
import {
  bytesPerSample,
  type DecodedSamples,
  fillLowBits,
  integersToShares,
  replaceNonFinite,
  viewSamples,
} from './decodedSamples';
import { headerSize } from './headerSize';
import { checkLimits, type DecodeLimits, defaultLimits } from './limits';
import { carriedBy, metadataOf, noMetadata, type PictureMetadata } from './metadata';
import { netpbmHeader, netpbmSamples } from './netpbm';
import { assumedProfile, usableProfile } from './profile';
import { curveOfProfile, type PictureCurve } from './profileCurve';
import { type RawLayout, type RawSamples, readRaw } from './rawSamples';
import { type Metadata, ownedMetadata, sharp } from './sharp';
import { type DecodedFormat, type NetpbmFormat, refuseFormat, requirePicture } from './sniff';

/** How often the samples exist at once at worst: what the codec holds, the engine's copy, and an export's result. */
const copiesInMemory = 3;

export interface DecodedPicture extends Size {
  /** width × height × channels, rows top to bottom without padding; alpha, when there is one, is last and straight. */
  readonly samples: DecodedSamples;
  readonly channels: number;
  readonly alpha: boolean;
  readonly sampleType: Extract<SampleType, 'u8' | 'u16' | 'f32'>;
  readonly format: DecodedFormat;
  /** Which page or frame of the file it is, from 1, and how many there are. */
  readonly page: number;
  readonly pages: number;
  readonly profile: string;
  /** The profile to carry into an export; null where there is none that fits the pixels. */
  readonly iccProfile: Uint8Array | null;
  /** Between its stored values and linear light. */
  readonly light: PictureCurve;
  readonly metadata: PictureMetadata;
  /** What of it an export can carry over. */
  readonly carries: Carried;
  readonly warnings: readonly PictureWarning[];
}

interface Layout extends RawLayout {
  readonly sampleType: DecodedPicture['sampleType'];
}

/** The page for sharp, which counts from 0; left out for the first, which every format has. */
const pageOption = (page: number) => (page === 1 ? {} : { page: page - 1 });

/** What a decoder that gave up means: no memory left, a kind of data it lacks, or damage. */
function unreadable(name: string, cause?: unknown): ConvolveError {
  const message = cause instanceof Error ? cause.message : '';
  if (/out of memory/i.test(message)) return new ConvolveError({ code: 'outOfMemory', subject: name }, cause);
  if (message.includes('Unsupported JPEG data precision 12')) return refuseFormat(name, '12-bit JPEG');
  // What libvips says of samples beyond 32 bits, such as float64.
  if (message.includes('tiff2vips: samples out of range'))
    return refuseFormat(name, 'TIFF samples of more than 32 bits');
  return new ConvolveError({ code: 'fileDamaged', subject: name }, cause);
}

/** The codec's depths of which nothing says what white is. */
const signedDepths: Readonly<Record<string, string>> = {
  char: 'signed 8-bit',
  short: 'signed 16-bit',
  int: 'signed 32-bit',
};

/** Depth and colour space kept from the file; CMYK becomes sRGB; what the engine has no depth for is refused. */
function layoutOf(metadata: Metadata, name: string): Layout {
  const space: string = metadata.space;
  switch (metadata.depth) {
    case 'uchar':
      return { sampleType: 'u8', depth: 'uchar', space: space === 'b-w' ? 'b-w' : 'srgb' };
    case 'ushort':
      return { sampleType: 'u16', depth: 'ushort', space: space === 'grey16' || space === 'b-w' ? 'grey16' : 'rgb16' };
    case 'uint':
      // The engine has no such integers: they become shares of full scale.
      return { sampleType: 'f32', depth: 'uint', space };
    case 'float':
    case 'double':
      if (space !== 'b-w' && space !== 'scrgb' && space !== 'srgb')
        throw refuseFormat(name, `floating-point ${space} samples`);
      return { sampleType: 'f32', depth: 'float', space };
    default:
      throw refuseFormat(name, `${signedDepths[metadata.depth] ?? metadata.depth} samples`);
  }
}

type Claim = Pick<Metadata, 'width' | 'height' | 'channels'>;

const memoryOf = ({ width, height, channels }: Claim, sampleType: DecodedPicture['sampleType']) =>
  width * height * channels * bytesPerSample[sampleType] * copiesInMemory;

function checkSize(claim: Claim, sampleType: DecodedPicture['sampleType'], name: string, limits: DecodeLimits) {
  checkLimits(claim, memoryOf(claim, sampleType), limits, name);
}

const isTimeout = (thrown: unknown) => thrown instanceof Error && /^timeout/i.test(thrown.message);

/** Strict first; a file that fails is read again for what can be saved, and `whole` says which of the two it was. */
async function decodeRaw(
  bytes: Uint8Array,
  metadata: Metadata,
  layout: Layout,
  name: string,
  limits: DecodeLimits,
  page: number,
): Promise<RawSamples & { readonly whole: boolean }> {
  const attempt = (failOn: 'warning' | 'none') => {
    // The profile is applied only where the numbers cannot stay what they are; everywhere else it is kept beside them.
    const ignoreIcc = metadata.space !== 'cmyk';
    const open = () =>
      sharp(bytes, { failOn, ignoreIcc, autoOrient: true, limitInputPixels: false, ...pageOption(page) }).timeout({
        seconds: limits.seconds,
      });
    return readRaw(open, layout, metadata.channels === 2 && layout.space === 'b-w');
  };
  const timedOut = () =>
    new ConvolveError({ code: 'decodeTimeout', subject: name, expected: `at most ${limits.seconds} seconds` });
  try {
    return { ...(await attempt('warning')), whole: true };
  } catch (strict) {
    if (isTimeout(strict)) throw timedOut();
    try {
      const saved = await attempt('none');
      // Nothing but one value: the decoder filled in what it could not read, and read nothing.
      const first = saved.data[0];
      if (saved.data.every((byte) => byte === first)) throw unreadable(name, strict);
      return { ...saved, whole: false };
    } catch (lenient) {
      if (isTimeout(lenient)) throw timedOut();
      throw unreadable(name, strict);
    }
  }
}

async function readMetadata(bytes: Uint8Array, name: string, page: number): Promise<Metadata> {
  try {
    return ownedMetadata(
      await sharp(bytes, { failOn: 'none', limitInputPixels: false, ...pageOption(page) }).metadata(),
    );
  } catch (thrown) {
    throw unreadable(name, thrown);
  }
}

/**
 * What is known of a picture before it is decoded, its size checked. Throws as decodePicture, but for what only the pixels
 * can tell.
 */
async function readClaim(bytes: Uint8Array, format: DecodedFormat, name: string, limits: DecodeLimits, page: number) {
  const claimed = headerSize(bytes, format);
  if (claimed && claimed.width * claimed.height > limits.pixels)
    checkSize({ ...claimed, channels: 4 }, 'u8', name, limits);
  // The first page knows how many there are.
  const first = await readMetadata(bytes, name, 1);
  const pages = first.pages ?? 1;
  checkPage(page, pages, name);
  const metadata = page === 1 ? first : { ...(await readMetadata(bytes, name, page)), pages };
  const layout = layoutOf(metadata, name);
  checkSize(metadata, layout.sampleType, name, limits);
  return { metadata, layout };
}

/** Throws fileEmpty, fileNotAnImage or formatUnsupported. */
function formatOf(bytes: Uint8Array, name: string): DecodedFormat {
  if (bytes.length === 0) throw new ConvolveError({ code: 'fileEmpty', subject: name });
  return requirePicture(bytes, name);
}

const isNetpbm = (format: DecodedFormat): format is NetpbmFormat => format === 'pnm' || format === 'pfm';

/** The header of a portable map, its size checked. Throws as decodePicture. */
function readNetpbm(bytes: Uint8Array, name: string, limits: DecodeLimits) {
  const header = netpbmHeader(bytes, name);
  checkSize(header, header.sampleType, name, limits);
  return header;
}

function decodeNetpbm(bytes: Uint8Array, name: string, limits: DecodeLimits): DecodedPicture {
  const header = readNetpbm(bytes, name, limits);
  const { samples, whole } = netpbmSamples(bytes, header, name);
  const replaced = samples instanceof Float32Array ? replaceNonFinite(samples) : 0;
  const warnings: PictureWarning[] = whole ? [] : [{ kind: 'notWhole' }];
  if (replaced > 0) warnings.push({ kind: 'samplesReplaced', count: replaced });
  const { width, height, channels, sampleType, format } = header;
  const light = curveOfProfile(null, channels);
  const plain = { alpha: false, page: 1, pages: 1, profile: assumedProfile, iccProfile: null, metadata: noMetadata };
  const carries = carriedBy(noMetadata, null, header);
  return { width, height, samples, channels, sampleType, format, light, carries, warnings, ...plain };
}

/** The page of a file that has `pages`. Throws invalidArgument for one that is not there. */
function checkPage(page: number, pages: number, name: string): void {
  if (page <= pages) return;
  throw new ConvolveError({
    code: 'invalidArgument',
    subject: name,
    expected: pages === 1 ? 'page 1, its only one' : `a page of 1…${pages}`,
    actual: String(page),
  });
}

/** Bytes of memory that opening and exporting the picture may take, by its header. Throws as decodePicture. */
export async function memoryToDecode(bytes: Uint8Array, name: string): Promise<number> {
  const format = formatOf(bytes, name);
  if (isNetpbm(format)) {
    const header = readNetpbm(bytes, name, defaultLimits);
    return memoryOf(header, header.sampleType);
  }
  const { metadata, layout } = await readClaim(bytes, format, name, defaultLimits, 1);
  return memoryOf(metadata, layout.sampleType);
}

/**
 * Decodes a picture that is in memory. `name` is for messages; `page` is the page or frame of a file of several, from 1.
 *
 * Throws invalidArgument for a page that is not there, fileEmpty, fileNotAnImage, formatUnsupported, imageTooLarge, outOfMemory, decodeTimeout or fileDamaged.
 */
export async function decodePicture(
  bytes: Uint8Array,
  name: string,
  limits: DecodeLimits = defaultLimits,
  page = 1,
): Promise<DecodedPicture> {
  const format = formatOf(bytes, name);
  if (isNetpbm(format)) {
    checkPage(page, 1, name);
    return decodeNetpbm(bytes, name, limits);
  }
  const { metadata, layout } = await readClaim(bytes, format, name, limits, page);
  const raw = await decodeRaw(bytes, metadata, layout, name, limits, page);
  if (raw.channels > 4) throw refuseFormat(name, `${raw.channels} channels`);

  const integers = layout.depth === 'uint';
  const samples = viewSamples(integers ? integersToShares(raw.data) : raw.data, layout.sampleType);
  const bits = metadata.bitsPerSample ?? 16;
  if (format === 'avif' && samples instanceof Uint16Array && bits < 16) fillLowBits(samples, bits);
  const replaced = samples instanceof Float32Array ? replaceNonFinite(samples) : 0;

  const pages = metadata.pages ?? 1;
  const warnings: PictureWarning[] = [];
  if (!raw.whole) warnings.push({ kind: 'notWhole' });
  if (pages > 1) warnings.push({ kind: 'onePageOnly', page, pages });
  if (metadata.space === 'cmyk') warnings.push({ kind: 'convertedFromCmyk' });
  if (integers) warnings.push({ kind: 'convertedFromIntegers' });
  if (replaced > 0) warnings.push({ kind: 'samplesReplaced', count: replaced });

  const profile = metadata.space === 'cmyk' ? null : usableProfile(metadata.icc, raw.channels);
  const iccProfile = profile?.bytes ?? null;
  const carried = metadataOf(metadata, bytes, format);
  return {
    width: raw.width,
    height: raw.height,
    samples,
    channels: raw.channels,
    alpha: raw.channels === 2 || raw.channels === 4,
    sampleType: layout.sampleType,
    format,
    page,
    pages,
    profile: profile?.name ?? assumedProfile,
    iccProfile,
    light: curveOfProfile(iccProfile, raw.channels),
    metadata: carried,
    carries: carriedBy(carried, iccProfile, raw),
    warnings,
  };
}
