// Steps that run only when something they depend on changed: a stamp holds a fingerprint of the inputs (paths, sizes and
// times of files, and any words such as a version) of the last run that succeeded.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder, inRoot } from './paths';

export interface StampedStep {
  /** File name of the stamp. */
  readonly name: string;
  /** Files and folders (read through) relative to the checkout; what is missing counts as missing. */
  readonly inputs: readonly string[];
  /** Anything else the result depends on. */
  readonly words?: readonly string[];
  /** Files that must exist for the stamp to count. */
  readonly outputs: readonly string[];
}

const fromRoot = (file: string): string => path.resolve(inRoot(), file);

function* filesUnder(file: string): Generator<string> {
  const entry = statSync(file, { throwIfNoEntry: false });
  if (!entry) return;
  if (!entry.isDirectory()) {
    yield file;
    return;
  }
  for (const name of readdirSync(file).sort()) {
    if (name !== 'node_modules') yield* filesUnder(path.join(file, name));
  }
}

function fingerprint(step: StampedStep): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(step.words ?? []));
  for (const input of step.inputs) {
    for (const file of filesUnder(fromRoot(input))) {
      const entry = statSync(file);
      hash.update(`${file}\0${entry.size}\0${entry.mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

/** Runs `work` unless its stamp says that nothing changed; true when it ran. A failure leaves no stamp behind. */
export async function whenChanged(
  step: StampedStep,
  work: () => Promise<void>,
  stampFolder: string = path.join(cacheFolder, 'stamps'),
): Promise<boolean> {
  const file = path.join(stampFolder, step.name);
  const before = fingerprint(step);
  const outputsExist = step.outputs.every((output) => existsSync(fromRoot(output)));
  if (outputsExist && existsSync(file) && readFileSync(file, 'utf8') === before) return false;
  rmSync(file, { force: true });
  await work();
  mkdirSync(path.dirname(file), { recursive: true });
  // The fingerprint from before the work: a file that was saved meanwhile is then seen as changed next time.
  writeFileSync(file, before);
  return true;
}
