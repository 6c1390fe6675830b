#!/usr/bin/env node
// The command line in the checkout: `npx convolve …` loads what set-up bundled, or says that set-up has not run.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const bundle = fileURLToPath(new URL('../dist/main/cli.cjs', import.meta.url));
if (existsSync(bundle)) createRequire(import.meta.url)(bundle);
else {
  console.error('convolve: not built yet. Run `npm run setup` in the checkout first.');
  process.exitCode = 2;
}
