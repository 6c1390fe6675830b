// Runs the command line of the checkout, for results to compare the editor's with.

import { type CommandResult, command } from '../../scripts/command';
import { inRoot } from '../../scripts/paths';

export function convolve(...words: readonly string[]): Promise<CommandResult> {
  return command(process.execPath, [inRoot('scripts', 'convolve.mjs'), ...words]);
}

/** The law's result: the reference backend, plain loops in float64. Throws when the command line fails. */
export async function referenceResult(photo: string, output: string, ...words: readonly string[]): Promise<void> {
  const result = await convolve('apply', photo, ...words, '--backend', 'reference', '-o', output);
  if (result.code !== 0) throw new Error(`convolve ${words.join(' ')}: ${result.stderr}`);
}
