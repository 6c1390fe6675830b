// The addon inside Electron: starts electron.program.ts as a program of the Electron that the set-up resolved (no window,
// no display) and reports each of its checks.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { installedRuntime } from '../../scripts/electronRuntime';
import { bundleProgram, type ProgramEnd, runProgram } from './programs';

interface Check {
  readonly name: string;
  readonly problem: string | null;
}

async function runInElectron(): Promise<ProgramEnd> {
  const runtime = installedRuntime();
  if (!runtime) throw new Error('there is no Electron runtime; `npm run setup` resolves one');
  const bundle = await bundleProgram('electron');
  const folder = path.join(path.dirname(bundle), 'electron');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'addon-test', version: '1.0.0', main: path.join('..', path.basename(bundle)) }),
  );
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = process.env;
  // Chromium's sandbox does not start for root; no display is needed, because no window is opened.
  return runProgram(runtime.executable, [folder, '--no-sandbox', '--ozone-platform=headless'], environment);
}

describe("in Electron's main process", () => {
  let end: ProgramEnd;
  let lines: readonly unknown[];
  beforeAll(async () => {
    end = await runInElectron();
    lines = end.output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as unknown] : []));
  }, 120_000);

  it.each([
    'runs in the main process of Electron',
    'lists the backends',
    'fills memory that JavaScript allocated',
    'fills 100 megapixels',
    'refuses with typed errors',
    'keeps the event loop turning, and cancels',
    'loads for a second time without a trace of the first',
  ])('the addon %s', (name) => {
    const check = (lines as readonly Check[]).find((line) => line.name === name);
    expect(check, end.errors).toEqual({ name, problem: null });
  });

  it('no check is missing from this list', () => {
    expect(lines.at(-1)).toEqual({ passed: 7, failed: 0 });
  });

  it('the program is left cleanly in the middle of a run', () => {
    expect(end).toMatchObject({ code: 0, signal: null });
  });
});
