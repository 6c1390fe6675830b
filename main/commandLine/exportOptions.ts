// The options that say how results are written, for every command that writes pictures.

import type { Command } from 'commander';
import {
  chromaModes,
  type ExportFormat,
  type ExportOptions,
  maximumResizedEdge,
  metadataChoices,
  receiptPlaces,
  standardExport,
  tiffCompressions,
} from '../../core/exportOptions';
import { parseNumberWord, usage } from './filterArguments';
import { choice } from './stackOptions';

/** All of an export but the format and depth, which each command has in its own words. */
export type WritingArguments = Omit<ExportOptions, 'format' | 'depth'>;

/** As commander gives them. */
export interface WritingOptions {
  readonly quality: string;
  readonly lossless?: boolean;
  readonly chroma: string;
  readonly progressive?: boolean;
  readonly compression: string;
  readonly dither?: boolean;
  readonly profile: string;
  readonly metadata: string;
  readonly resize?: string;
  readonly receipt: string;
}

/** Profiles in the command line's spelling. */
const profileWords = { keep: 'keep', srgb: 'srgb', 'display-p3': 'displayP3' } as const;

export function addWritingOptions(command: Command): Command {
  return command
    .option('--quality <1-100>', 'quality of JPEG, WebP and AVIF', String(standardExport.quality))
    .option('--lossless', 'WebP and AVIF without loss')
    .option('--chroma <mode>', `colour resolution of JPEG and AVIF: ${chromaModes.join(' | ')}`, standardExport.chroma)
    .option('--progressive', 'JPEG that shows coarse first')
    .option('--compression <kind>', `of TIFF: ${tiffCompressions.join(' | ')}`, standardExport.compression)
    .option('--dither', 'noise of one level where results become 8 bits, against bands')
    .option('--profile <space>', `colours: ${Object.keys(profileWords).join(' | ')}`, 'keep')
    .option('--metadata <choice>', `EXIF, XMP and IPTC: ${metadataChoices.join(' | ')}`, standardExport.metadata)
    .option(
      '--receipt <place>',
      `what was done, as JSON for replay: ${receiptPlaces.join(' | ')}`,
      standardExport.receipt,
    )
    .option('--resize <W×H>', 'make the result fit W × H pixels, such as 1920x1080; Lanczos in linear light');
}

function parseResize(text: string): ExportOptions['resize'] {
  const found = /^(\d{1,5})[x×](\d{1,5})$/.exec(text);
  const [width, height] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
  if (width < 1 || height < 1 || Math.max(width, height) > maximumResizedEdge)
    throw usage('--resize', `two sides of 1…${maximumResizedEdge} such as 1920x1080`, text);
  return { width, height };
}

/** Throws usage for what a file of the format cannot be. */
export function checkFits({ lossless, receipt }: WritingArguments, format: ExportFormat): void {
  if (lossless && format === 'jpeg') throw usage('--lossless', 'webp, avif, or a format that always is', 'jpeg');
  if (receipt === 'inside' && format === 'pfm')
    throw usage('--receipt', 'beside: PFM holds nothing but pixels', 'inside');
}

/** Throws usage. */
export function writingArguments(options: WritingOptions): WritingArguments {
  const quality = parseNumberWord('--quality', options.quality, '1…100');
  if (!Number.isInteger(quality) || quality < 1 || quality > 100) throw usage('--quality', '1…100', options.quality);
  const profile = choice('--profile', Object.keys(profileWords) as (keyof typeof profileWords)[], options.profile);
  return {
    quality,
    lossless: options.lossless ?? false,
    chroma: choice('--chroma', chromaModes, options.chroma),
    progressive: options.progressive ?? false,
    compression: choice('--compression', tiffCompressions, options.compression),
    dither: options.dither ?? false,
    profile: profileWords[profile],
    metadata: choice('--metadata', metadataChoices, options.metadata),
    receipt: choice('--receipt', receiptPlaces, options.receipt),
    resize: options.resize === undefined ? null : parseResize(options.resize),
  };
}
