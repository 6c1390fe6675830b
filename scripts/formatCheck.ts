// `clang-format --dry-run -Werror` over every C++ and CUDA source: the part of `npm run lint` that Biome does not do.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { command, findProgram } from './command';
import { runTask, say } from './console';
import { inRoot } from './paths';

/** The version whose layout the sources have; others disagree about details, so they are not asked. */
const layoutVersion = 14;

function nativeSources(folder: string): readonly string[] {
  return readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(h|cpp|cc|cu|cuh)$/.test(name))
    .map((name) => path.join(folder, name));
}

export type FormatOutcome =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly findings: string }
  /** This system has another version of clang-format, or none. */
  | { readonly kind: 'unchecked'; readonly reason: string };

export async function checkNativeFormat(): Promise<FormatOutcome> {
  const program = findProgram(`clang-format-${layoutVersion}`) ?? findProgram('clang-format');
  const version = program && (await command(program, ['--version'])).stdout.match(/version (\d+)/)?.[1];
  if (!program || version !== String(layoutVersion)) {
    const reason = `the sources are laid out for clang-format ${layoutVersion}, and this system has ${version ?? 'none'}`;
    return { kind: 'unchecked', reason };
  }
  const files = ['native', 'test/native', 'test/fuzz', 'test/bench', 'test/gpu'].flatMap(nativeSources);
  const result = await command(program, ['--dry-run', '-Werror', '--style=file', ...files]);
  return result.code === 0 ? { kind: 'right' } : { kind: 'wrong', findings: result.output };
}

if (process.argv[1] === inRoot('scripts', 'formatCheck.ts')) {
  await runTask(async () => {
    const outcome = await checkNativeFormat();
    switch (outcome.kind) {
      case 'right':
        say('clang-format', 'nothing to change');
        return 0;
      case 'unchecked':
        say('clang-format', `not checked: ${outcome.reason}`);
        return 0;
      case 'wrong':
        process.stderr.write(outcome.findings);
        return 1;
    }
  });
}
