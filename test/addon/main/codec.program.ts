// Decodes every fixture picture and encodes the small ones, in whatever program runs it, and prints one line of JSON for
// each: what came out, as digests. Everything decoded is kept to the end and looked at again, because memory that the codec
// takes back changes only later. Argument: the folder of the fixtures.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConvolveError } from '../../../core/errors';
import { exportDepth, exportFormats, standardExport } from '../../../core/exportOptions';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { encodePicture } from '../../../main/codec/encode';
import { createExportSamples } from '../../../main/codec/exportFormat';
import { exportSubject } from '../../../main/codec/exportSubject';
import { toScreen } from '../../../main/codec/screenColour';

export interface CodecLine {
  readonly file: string;
  readonly outcome: string;
  readonly encoded: Readonly<Record<string, string>>;
}

const digest = (bytes: ArrayBufferView | null) =>
  bytes === null
    ? ''
    : createHash('sha256')
        .update(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
        .digest('hex')
        .slice(0, 16);

const outcomeOf = (picture: DecodedPicture) =>
  [
    picture.width,
    picture.height,
    picture.channels,
    picture.sampleType,
    picture.profile,
    JSON.stringify(picture.warnings),
    digest(picture.samples),
    digest(picture.iccProfile),
    digest(picture.metadata.exif),
    digest(picture.metadata.xmp),
    digest(picture.metadata.iptc),
    picture.metadata.resolution,
  ].join(' · ');

/** Digests of the picture on the screen, where it has a profile, and in every lossless form that keeps its depth; AVIF, which is slow, only of AVIF files. */
async function encodings(picture: DecodedPicture): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const format of exportFormats) {
    const options = { ...standardExport, format, lossless: true };
    if (format === 'avif' && picture.format !== 'avif') continue;
    if (exportDepth(options, picture.sampleType) !== picture.sampleType) continue;
    const subject = exportSubject(picture, picture, options);
    const container = createExportSamples(subject, options);
    container.samples.set(picture.samples);
    const pieces = await encodePicture(subject, container, options);
    found[format] = digest(Buffer.concat(pieces));
  }
  const { iccProfile, sampleType, width, height, channels } = picture;
  if (iccProfile && sampleType === 'u8') {
    const pixels = Uint8Array.from(picture.samples);
    found.screen = digest(await toScreen({ pixels, width, height, channels }, iccProfile, 'srgb'));
  }
  return found;
}

async function run(folder: string): Promise<void> {
  const { files } = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as {
    files: readonly { readonly file: string; readonly expect: string }[];
  };
  const kept: { readonly file: string; readonly picture: DecodedPicture; readonly outcome: string }[] = [];
  const lines: CodecLine[] = [];
  for (const { file, expect } of files) {
    if (expect === 'data' || file.startsWith('sizes/12000x9000')) continue;
    try {
      const picture = await decodePicture(new Uint8Array(readFileSync(path.join(folder, file))), path.basename(file));
      const outcome = outcomeOf(picture);
      kept.push({ file, picture, outcome });
      const small = picture.width * picture.height < 20_000;
      lines.push({ file, outcome, encoded: small ? await encodings(picture) : {} });
    } catch (thrown) {
      if (!(thrown instanceof ConvolveError)) throw thrown;
      lines.push({ file, outcome: JSON.stringify(thrown.failure), encoded: {} });
    }
  }
  for (const line of lines) console.log(JSON.stringify(line));
  const changed = kept.filter(({ picture, outcome }) => outcomeOf(picture) !== outcome).map(({ file }) => file);
  console.log(JSON.stringify({ changed, electron: process.versions.electron !== undefined }));
}

// A pipe takes what was printed in its own time, and leaving before that cuts it off.
void run(process.argv[2] ?? '.').then(() => process.stdout.write('', () => process.exit(0)));
