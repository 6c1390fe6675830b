// The version of the program, for `--version`, reports and measured costs.

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The version in package.json: this folder is main/commandLine in the sources, dist/main or dist/test once bundled. */
export function version(): string {
  const folder = typeof __dirname === 'string' ? __dirname : import.meta.dirname;
  const manifest: unknown = JSON.parse(readFileSync(path.join(folder, '..', '..', 'package.json'), 'utf8'));
  return String(Object(manifest).version);
}
