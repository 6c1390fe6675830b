// Bundles the small programs beside the tests as main is bundled (one CommonJS file), so that they run as they are in a
// process, in a worker thread and in Electron, and runs them to their end.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';

const root = path.join(import.meta.dirname, '..', '..');

/** Bundles test/addon/<name>.program.ts and returns the path of the result. */
export async function bundleProgram(name: string): Promise<string> {
  const outfile = path.join(root, 'dist', 'test', `${name}.cjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, `${name}.program.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.18',
    external: ['electron', 'sharp'],
    // main/engine.ts uses import.meta only where it is not bundled.
    logOverride: { 'empty-import-meta': 'silent' },
  });
  return outfile;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

export async function runProgram(
  executable: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ProgramEnd> {
  // A program that hangs is killed, and the test sees the signal.
  const child = spawn(executable, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], timeout: 90_000 });
  const end = new Promise<Pick<ProgramEnd, 'code' | 'signal'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const [output, errors, { code, signal }] = await Promise.all([text(child.stdout), text(child.stderr), end]);
  return { code, signal, output, errors };
}
