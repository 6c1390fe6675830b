// How a picture is exported: the format with its own settings, depth, colour, size and what stands beside the pixels.

import { z } from 'zod';
import type { SampleType } from './pass';

export const exportFormats = ['png', 'jpeg', 'webp', 'tiff', 'avif', 'pfm'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The formats by the names that everybody writes the same. */
export const formatNames: Readonly<Record<ExportFormat, string>> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  tiff: 'TIFF',
  avif: 'AVIF',
  pfm: 'PFM',
};

export const chromaModes = ['auto', '4:4:4', '4:2:0'] as const;
export const tiffCompressions = ['deflate', 'lzw', 'none'] as const;
export const exportDepths = ['same', 'u8', 'u16', 'f32'] as const;
export const exportProfiles = ['keep', 'srgb', 'displayP3'] as const;
export const receiptPlaces = ['none', 'beside', 'inside'] as const;
export const metadataChoices = ['keep', 'remove'] as const;

/** Longest side of a resized export, in pixels. */
export const maximumResizedEdge = 65_500;

export const exportOptionsSchema = z.object({
  format: z.enum(exportFormats),
  /** Quality of lossy formats, 1…100. */
  quality: z.int().min(1).max(100),
  /** WebP and AVIF: without loss instead of `quality`. */
  lossless: z.boolean(),
  /** Colour resolution of JPEG and AVIF; auto keeps all of it from quality 90 on. */
  chroma: z.enum(chromaModes),
  /** JPEG that shows coarse first. */
  progressive: z.boolean(),
  /** TIFF only; all of them lose nothing. */
  compression: z.enum(tiffCompressions),
  /** Depth of the samples where the format has it, else the nearest that it has; same is the picture's own. */
  depth: z.enum(exportDepths),
  /** Noise of one level when samples become 8 bits, so that smooth slopes show no bands. */
  dither: z.boolean(),
  /** Colour numbers as they are with their own profile, or converted. Grey pictures keep theirs. */
  profile: z.enum(exportProfiles),
  /** EXIF, XMP and IPTC: carried over, or left out. Resolution and colour profile always stay. */
  metadata: z.enum(metadataChoices),
  /** The box, in pixels, into which the result is made to fit, as large as possible, smaller or larger; null keeps its size. */
  resize: z
    .object({
      width: z.int().min(1).max(maximumResizedEdge),
      height: z.int().min(1).max(maximumResizedEdge),
    })
    .nullable(),
  /** What was done, as JSON: in no file, in one beside the picture, or inside the picture's XMP. */
  receipt: z.enum(receiptPlaces),
});
export type ExportOptions = z.infer<typeof exportOptionsSchema>;

/** A PNG with all that the picture has. */
export const standardExport: ExportOptions = {
  format: 'png',
  quality: 90,
  lossless: false,
  chroma: 'auto',
  progressive: false,
  compression: 'deflate',
  depth: 'same',
  dither: false,
  profile: 'keep',
  metadata: 'keep',
  resize: null,
  receipt: 'none',
};

/** Depths of files. */
export type FileSampleType = Exclude<SampleType, 'f64'>;

/** Depths that a format stores, the least first. */
const formatDepths: Readonly<Record<ExportFormat, readonly FileSampleType[]>> = {
  png: ['u8', 'u16'],
  jpeg: ['u8'],
  webp: ['u8'],
  tiff: ['u8', 'u16', 'f32'],
  avif: ['u8'],
  pfm: ['f32'],
};
/** From the fewest levels to the most. */
export const depthOrder: readonly SampleType[] = ['u8', 'u16', 'f32', 'f64'];

/** Depth of a file of a picture of the given depth: the one asked for, or the nearest that the format has. */
export function exportDepth(
  { format, depth }: Pick<ExportOptions, 'format' | 'depth'>,
  sampleType: SampleType,
): FileSampleType {
  const wanted = depthOrder.indexOf(depth === 'same' ? sampleType : depth);
  const held = formatDepths[format];
  return held.find((candidate) => depthOrder.indexOf(candidate) >= wanted) ?? held.at(-1) ?? 'u8';
}
