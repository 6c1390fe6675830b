// Project files as text: what is written is read back as it was, and what cannot be read is said.

import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/document';
import { ConvolveError, type Failure } from '../../../core/errors';
import { errorText } from '../../../core/errorText';
import { catalogue, catalogueEntry } from '../../../core/filters';
import { createKernel } from '../../../core/kernel';
import { type Project, parseProject, projectPieces } from '../../../core/project';

const projectText = (project: Project) => [...projectPieces(project)].join('');

const picture = {
  name: 'harbour.jpg',
  path: '/photos/harbour.jpg',
  relativePath: 'harbour.jpg',
  bytes: 12,
  sha256: 'a'.repeat(64),
  width: 3,
  height: 2,
};
const everyFilter = catalogue.map((entry, index) => entry.create(`f${index}`, 'u8'));

function refusal(text: string): Failure {
  try {
    parseProject(text, 'look.convolve');
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown.failure;
  }
  throw new Error('it was read');
}

describe('a project', () => {
  it('comes back as it was, every kind of filter, picture or none', () => {
    const kernel = {
      ...createKernel(3, 1, [-1.5, 0, 1e-7]),
      orientation: 'convolution' as const,
      bias: 0.25,
      divisor: 4,
    };
    const custom = {
      ...everyFilter.at(-1)!,
      kind: 'custom' as const,
      name: 'α [1, 2]\n"quoted"',
      kernel,
      formula: { text: 'x / σ', values: { σ: 2 } },
    };
    for (const project of [
      { picture, stack: [...everyFilter, custom] },
      { picture: { ...picture, path: null, relativePath: null, embedded: 'AAEC' }, stack: [] },
      { picture: null, stack: everyFilter },
    ] satisfies Project[])
      expect(parseProject(projectText(project), 'x')).toEqual(project);
  });

  it('writes each list of weights on one line', () => {
    const text = projectText({ picture: null, stack: [everyFilter.at(-1)!] });
    expect(text).toContain('"weights": [0, 0, 0, 0, 1, 0, 0, 0, 0]');
  });

  it('has the oldest version that can say what it holds', () => {
    const [plain] = everyFilter;
    const mix = { opacity: 0.5, blend: 'screen', channels: ['green'] } as const;
    const mixed = { picture: null, stack: [{ ...plain!, mix }] };
    expect(JSON.parse(projectText({ picture: null, stack: [plain!] })).version).toBe(1);
    expect(JSON.parse(projectText(mixed)).version).toBe(2);
    expect(parseProject(projectText(mixed), 'x')).toEqual(mixed);
    const diffusion = { ...catalogueEntry('diffusion').create('f1', 'u8'), stopping: 'rational' } as Filter;
    const unsharp = { ...catalogueEntry('unsharp').create('f1', 'u8'), threshold: 2 } as Filter;
    for (const filter of [diffusion, unsharp]) {
      const newest = { picture: null, stack: [filter] };
      expect(JSON.parse(projectText(newest)).version).toBe(3);
      expect(parseProject(projectText(newest), 'x')).toEqual(newest);
    }
    // What was saved before these were known.
    const { threshold: _threshold, ...before } = unsharp as Extract<Filter, { kind: 'unsharp' }>;
    expect(parseProject(projectText({ picture: null, stack: [before] }), 'x').stack).toEqual([before]);
  });

  it('may begin with a byte order mark and have fields of its own', () => {
    const text = JSON.stringify({ ...JSON.parse(projectText({ picture, stack: [] })), note: 'mine' });
    expect(parseProject(`\uFEFF${text}`, 'x')).toEqual({ picture, stack: [] });
  });
});

describe('what cannot be read', () => {
  it('a newer version is refused before anything else is looked at', () => {
    const failure = refusal('{"format": "convolve-project", "version": 4, "layers": []}');
    expect(failure).toEqual({ code: 'fileTooNew', subject: 'look.convolve', expected: '3', actual: '4' });
    expect(errorText(failure)).toBe(
      'look.convolve was written by a newer Convolve (version 4 of its form; this one reads up to 3). Update Convolve to open it.',
    );
  });

  it('what is no JSON, or another JSON, is damaged by name', () => {
    expect(refusal('{"format": "convolve-pro')).toMatchObject({ code: 'projectDamaged', subject: 'look.convolve' });
    for (const other of ['[]', 'null', '7', '{}', '{"format": "other"}'])
      expect(refusal(other)).toMatchObject({ code: 'projectDamaged', actual: 'not the JSON of a project' });
  });

  it('a field that does not fit is named with its place', () => {
    const base = { format: 'convolve-project', version: 1, picture: null };
    const gaussian = everyFilter[0];
    expect(refusal(JSON.stringify({ ...base, stack: [{ ...gaussian, sigma: -1 }] })).actual).toMatch(
      /^stack\.0\.sigma: /,
    );
    expect(refusal(JSON.stringify({ ...base, stack: [{ ...gaussian, kind: 'melt' }] })).actual).toMatch(
      /^stack\.0\.kind: /,
    );
    expect(refusal(JSON.stringify({ ...base, picture: { ...picture, sha256: 'x' }, stack: [] })).actual).toMatch(
      /^picture\.sha256: /,
    );
    expect(refusal(JSON.stringify({ ...base, version: 0, stack: [] })).actual).toMatch(/^version: /);
  });
});
