// The codec inside Electron — on Linux another build of it — against the codec in Node: the same samples, the same files,
// the same refusals for every fixture, and nothing that changes once it was handed over.

import { beforeAll, describe, expect, it } from 'vitest';
import { installedRuntime } from '../../../scripts/electronRuntime';
import { fixturesFolder } from '../../unit/main/fixtures';
import { bundleProgram, type ProgramEnd, runProgram } from '../programs';
import type { CodecLine } from './codec.program';

interface Outcome {
  readonly end: ProgramEnd;
  readonly lines: readonly CodecLine[];
  readonly last: { readonly changed: readonly string[]; readonly electron: boolean };
}

function outcomeOf(end: ProgramEnd): Outcome {
  const parsed = end.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as CodecLine & Outcome['last']);
  return { end, lines: parsed.slice(0, -1), last: parsed.at(-1) ?? { changed: ['everything'], electron: false } };
}

describe('the codec in Electron', () => {
  let node: Outcome;
  let electron: Outcome;
  beforeAll(async () => {
    const runtime = installedRuntime();
    if (!runtime) throw new Error('there is no Electron runtime; `npm run setup` resolves one');
    const bundle = await bundleProgram('main/codec');
    node = outcomeOf(await runProgram(process.execPath, [bundle, fixturesFolder]));
    // As a plain Node, but with all that Electron's program is linked against.
    const environment = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    electron = outcomeOf(await runProgram(runtime.executable, [bundle, fixturesFolder], environment));
  }, 180_000);

  it('runs to its end, in Electron', () => {
    expect(electron.end, electron.end.errors).toMatchObject({ code: 0, signal: null });
    expect([node.last.electron, electron.last.electron]).toEqual([false, true]);
    expect(node.lines.length).toBeGreaterThan(330);
  });

  it('gives what the codec in Node gives, for every picture', () => {
    expect(electron.lines).toEqual(node.lines);
  });

  it('never changes what it handed over', () => {
    expect(electron.last.changed).toEqual([]);
    expect(node.last.changed).toEqual([]);
  });
});
