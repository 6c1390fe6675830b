// Runs the real command line: its commands in this process, which is quick, or main/cli.ts bundled as set-up bundles it, in
// a process of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { run } from '../../../main/commandLine/commands';

const root = path.join(import.meta.dirname, '..', '..', '..');
export const fixtures = path.join(root, 'test', 'fixtures');
export const golden = path.join(root, 'test', 'golden');

/** Bundles the command line; returns its path. */
export async function bundleCommandLine(): Promise<string> {
  const outfile = path.join(root, 'dist', 'test', 'cli.cjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['main/cli.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.18',
    external: ['electron', 'sharp', '*.node'],
    // main/ uses import.meta only where it is not bundled.
    logOverride: { 'empty-import-meta': 'silent' },
  });
  return outfile;
}

export interface CommandEnd {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command in this process; what it would have printed is in the answer. */
export async function runCommand(
  words: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<CommandEnd> {
  const printed: string[] = [];
  const { lines, notes, exitCode } = await run(words, signal, (line) => printed.push(line));
  return {
    code: exitCode,
    output: [...printed, ...lines].map((line) => `${line}\n`).join(''),
    errors: notes.map((note) => `convolve: ${note}\n`).join(''),
  };
}

/** A command that runs: `end` when it has, and its process for signals. */
export interface RunningCommand {
  readonly process: ChildProcess;
  readonly end: Promise<CommandEnd>;
}

export function startCommand(bundle: string, words: readonly string[], folder: string): RunningCommand {
  // A command that hangs is killed, and the test sees that it has no exit code.
  const child = spawn(process.execPath, [bundle, ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const end = Promise.all([code, text(child.stdout), text(child.stderr)]).then(([exit, output, errors]) => ({
    code: exit,
    output,
    errors,
  }));
  return { process: child, end };
}
