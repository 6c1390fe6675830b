// The version of the program, by its manifest: for `--version`, reports, measured costs and the software tag of exports.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of this file or, once bundled (below dist/), of the bundle. */
const ownFolder = typeof __dirname === 'string' ? __dirname : import.meta.dirname;

/** The nearest manifest above the file. */
function manifestFile(folder: string): string {
  const file = path.join(folder, 'package.json');
  return existsSync(file) || path.dirname(folder) === folder ? file : manifestFile(path.dirname(folder));
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(manifestFile(ownFolder), 'utf8'));
  return String(Object(manifest).version);
}

export const version = readVersion();
export const software = `Convolve ${version}`;
