// Results of independent programs, computed by the command line's own `apply` from array files to array files.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { standardExport } from '../../../core/exportOptions';
import { parseNpy } from '../../../core/npy';
import { apply } from '../../../main/commandLine/apply';
import { parseBorder } from '../../../main/commandLine/filterArguments';
import { golden } from './commandLine';

interface GoldenCase {
  readonly id: string;
  readonly input: string;
  readonly kernel: string;
  readonly border: string;
  readonly borderValue?: number;
  readonly mode: 'convolution' | 'correlation';
  readonly anchor: readonly [number, number];
  readonly expected: string | null;
  readonly tol: number;
  readonly tolF32: number;
}

const manifest = JSON.parse(readFileSync(path.join(golden, 'manifest.json'), 'utf8')) as {
  readonly cases: readonly GoldenCase[];
};
/** Every fifth case; all of them run on the engine itself in test/addon/golden.test.ts. */
const chosen = manifest.cases.filter((_, index) => index % 5 === 0);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-golden-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function applyCase(one: GoldenCase, backend: 'reference' | 'cpu', output: string) {
  const border = one.border === 'constant' ? `constant:${one.borderValue}` : one.border;
  const settings = one.border === 'valid' ? { size: 'valid' as const } : { border: parseBorder('--border', border) };
  return apply(
    {
      input: path.join(golden, one.input),
      output,
      stack: [{ kind: 'kernel', text: path.join(golden, one.kernel) }],
      settings: { alpha: 'straight', ...settings },
      kernel: { orientation: one.mode, anchor: one.anchor },
      decimalComma: false,
      backend,
      path: { kind: 'auto' },
      depth: backend === 'reference' ? 'f64' : 'auto',
      page: 1,
      writing: standardExport,
      force: false,
    },
    new AbortController().signal,
  );
}

it('the cases meet every border, mode, input and kernel', () => {
  for (const field of ['border', 'mode', 'input', 'kernel'] as const)
    expect(new Set(chosen.map((one) => one[field])), field).toEqual(new Set(manifest.cases.map((one) => one[field])));
});

describe.each(['reference', 'cpu'] as const)('apply on %s', (backend) => {
  it.each(chosen)('$id', async (one) => {
    const output = path.join(folder, `${backend}.npy`);
    if (one.expected === null) {
      await expect(applyCase(one, backend, output)).rejects.toMatchObject({ failure: { code: 'invalidPlan' } });
      return;
    }
    await applyCase(one, backend, output);
    const got = parseNpy(readFileSync(output), output);
    const expected = parseNpy(readFileSync(path.join(golden, one.expected)), one.id);
    expect(got.shape).toEqual(expected.shape);
    let worst = 0;
    expected.values.forEach((value, index) => {
      worst = Math.max(worst, Math.abs(value - (got.values[index] ?? Number.NaN)));
    });
    expect(worst).toBeLessThanOrEqual(backend === 'reference' ? one.tol : one.tolF32);
  });
});
