// What both tests of the app on a device share: a large photo, the stack of three that they run over it, the command line,
// and pictures as plain pixels to compare.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { type Difference, differenceOf } from '../../../main/commandLine/compare';
import { builtCommandLine, inRoot } from '../../../scripts/paths';

const run = promisify(execFile);

/** The stack as words of the command line. */
export const stackWords = [
  '--filter',
  'gaussian:sigma=4',
  '--filter',
  'unsharp:sigma=2,amount=1',
  '--filter',
  'box:31',
];

/** A sample photo at 24 megapixels, as a JPEG in `folder`. */
export async function largePhoto(folder: string): Promise<string> {
  const file = path.join(folder, 'large.jpg');
  await sharp(inRoot('samples', 'canyon.jpg')).resize(6000, 4000, { fit: 'fill' }).jpeg({ quality: 92 }).toFile(file);
  return file;
}

/** Runs the built command line; resolves with its output, rejects where it fails. */
export async function convolve(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await run(process.execPath, [builtCommandLine, ...words], {
    env: { ...process.env, CONVOLVE_COSTS: 'shipped', ...environment },
    maxBuffer: 1e8,
  });
  return stdout;
}

/** How far two 8-bit picture files lie apart. Throws where they do not have the same form. */
export async function fileDifference(file: string, other: string): Promise<Difference> {
  const [a, b] = await Promise.all(
    [file, other].map((name) => sharp(name, { limitInputPixels: false }).raw().toBuffer({ resolveWithObject: true })),
  );
  if (
    !a ||
    !b ||
    a.info.width !== b.info.width ||
    a.info.height !== b.info.height ||
    a.info.channels !== b.info.channels
  )
    throw new Error(`${file} and ${other} do not have the same form`);
  return differenceOf(new Uint8Array(a.data), new Uint8Array(b.data), 'u8');
}
