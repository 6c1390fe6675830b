// `clang-format --dry-run -Werror` over every C++ and CUDA source: the part of `npm run lint` that Biome does not do.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { command, findProgram } from './command';
import { runTask, say, TaskError } from './console';
import { inRoot } from './paths';

/** The version whose layout the sources have; another one may disagree about details. */
const layoutVersion = 14;

function nativeSources(folder: string): readonly string[] {
  return readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(h|cpp|cc|cu|cuh)$/.test(name))
    .map((name) => path.join(folder, name));
}

/** The findings of clang-format, empty when the layout is right. */
export async function checkNativeFormat(): Promise<string> {
  const program = findProgram(`clang-format-${layoutVersion}`) ?? findProgram('clang-format');
  if (!program) throw new TaskError('clang-format is missing.', 'Run `npm test`, which installs it or says how.', 3);
  const files = [...nativeSources('native'), ...nativeSources('test/native')];
  const result = await command(program, ['--dry-run', '-Werror', '--style=file', ...files]);
  if (result.code === 0) return '';
  const version = (await command(program, ['--version'])).stdout.match(/version (\d+)/)?.[1];
  const note =
    version === String(layoutVersion)
      ? ''
      : `\nThe sources are laid out for clang-format ${layoutVersion} and this is ${version}; it may differ in details.`;
  return `${result.output}${note}`;
}

if (process.argv[1] === inRoot('scripts', 'formatCheck.ts')) {
  await runTask(async () => {
    const findings = await checkNativeFormat();
    if (findings === '') say('clang-format', 'nothing to change');
    else process.stderr.write(findings);
    return findings === '' ? 0 : 1;
  });
}
