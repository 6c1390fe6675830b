// Exports pictures without a filter, and reads what is in the files with exiftool.

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ExportOptions, exportDepth, standardExport } from '../../../core/exportOptions';
import { decodePicture } from '../../../main/codec/decode';
import { encodePicture } from '../../../main/codec/encode';
import { createExportSamples } from '../../../main/codec/exportFormat';
import { exportSubject } from '../../../main/codec/exportSubject';
import { toDepth } from '../../../main/codec/pixelSteps';

function isInstalled(): boolean {
  try {
    execFileSync('exiftool', ['-ver'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
/** Set-up installs it on Debian (libimage-exiftool-perl); where it is missing, these tests are skipped and counted so. */
export const hasExiftool = isInstalled();

export type Tags = Readonly<Record<string, unknown>>;

/** Every tag that the files hold beside their pixels, by group and name, as numbers where they are. */
export function tagsOf(files: readonly string[]): ReadonlyMap<string, Tags> {
  const text = execFileSync('exiftool', ['-j', '-G1', '-a', '-n', '-struct', ...files], { encoding: 'utf8' });
  const read = JSON.parse(text) as (Tags & { readonly SourceFile: string })[];
  // About the file and not in it, or worked out from other tags.
  const own = (tags: Tags) =>
    Object.entries(tags).filter(([name]) => !/^(SourceFile|System:|Composite:|ExifTool:ExifToolVersion)/.test(name));
  return new Map(read.map((tags) => [path.resolve(tags.SourceFile), Object.fromEntries(own(tags))]));
}

export function writeTags(files: readonly string[], ...words: readonly string[]): void {
  execFileSync('exiftool', ['-overwrite_original', '-q', '-m', ...words, ...files], { stdio: 'pipe' });
}

/** A picture's file in another form, its pixels as they are. */
export async function exported(file: string, change: Partial<ExportOptions>): Promise<Uint8Array> {
  const options = { ...standardExport, ...change };
  const picture = await decodePicture(await readFile(file), path.basename(file));
  const subject = exportSubject(picture, picture, options);
  const container = createExportSamples(subject, options);
  container.samples.set(toDepth(picture.samples, picture.sampleType, exportDepth(options, picture.sampleType)));
  return Buffer.concat(await encodePicture(subject, container, options));
}
