// `convolve compare-backends` between the two backends that every machine has.

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompareReport } from '../../../main/commandLine/compare';
import { buildStack } from '../../../main/commandLine/stackOptions';
import { writeProjectFile } from '../../../main/projects/projectFile';
import { fixtures, runCommand } from './commandLine';

const photo = path.join(fixtures, 'photos', 'chelsea_451x300.png');
const pair = ['--backend', 'reference', '--with', 'cpu'];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-compare-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('convolve compare-backends', () => {
  it('compares after each filter, and finds the cpu backend within a level of the reference', async () => {
    const words = ['--filter', 'gaussian:2', '--filter', 'sobel', '--json'];
    const end = await runCommand(['compare-backends', photo, ...words, ...pair]);
    expect(end, end.errors).toMatchObject({ code: 0 });
    const report = JSON.parse(end.output) as CompareReport;
    expect(report.filters.map(({ filter }) => filter)).toEqual(['gaussian', 'sobel']);
    expect(report.violated).toBe(false);
    for (const { largest, equalShare } of report.filters) {
      expect(largest).toBeLessThanOrEqual(1);
      expect(equalShare).toBeGreaterThanOrEqual(0.999);
    }
  });

  it('takes the filters of a project', async () => {
    const { stack } = await buildStack(
      {
        stack: [{ kind: 'filter', text: 'unsharp:2' }],
        settings: {},
        kernel: {},
        decimalComma: false,
        backend: 'auto',
      },
      'u8',
    );
    const project = path.join(folder, 'look.convolve');
    await writeProjectFile(project, { picture: null, stack });
    const end = await runCommand(['compare-backends', photo, '--project', project, ...pair]);
    expect(end, end.errors).toMatchObject({ code: 0 });
    expect(end.output).toMatch(/result, after 1\. unsharp .*largest difference [01] level/);
  });

  it('refuses to compare a backend with itself, and nothing with anything', async () => {
    const same = await runCommand([
      'compare-backends',
      photo,
      '--filter',
      'box:3',
      '--backend',
      'cpu',
      '--with',
      'cpu',
    ]);
    expect(same).toMatchObject({ code: 2 });
    expect(same.errors).toContain('a backend beside cpu');
    const empty = await runCommand(['compare-backends', photo]);
    expect(empty).toMatchObject({ code: 2 });
    expect(empty.errors).toContain('--filter');
  });
});
