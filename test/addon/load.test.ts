// Loading: where the addon is looked for, what it offers, and what is said when it is not there.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { engineErrorCodes } from '../../core/errors';
import { addonErrorCodes, addonPathFrom, loadEngine, startEngine } from '../../main/engine';
import { failureFrom } from './examples';

const folder = mkdtempSync(path.join(tmpdir(), 'convolve-load-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the engine', () => {
  it('lists every backend, and reference and cpu are always available', () => {
    const backends = loadEngine().backends();
    expect(backends.map(({ name }) => name)).toEqual(['reference', 'cpu', 'cuda']);
    expect(backends.filter(({ name }) => name !== 'cuda').every(({ available }) => available)).toBe(true);
    expect(backends.every(({ description }) => description.length > 0)).toBe(true);
  });

  it('says the same backends when they were looked for on another thread', async () => {
    expect((await startEngine()).backends()).toEqual(loadEngine().backends());
  });

  it('loads again as often as it is asked to', () => {
    expect(loadEngine()).not.toBe(loadEngine());
  });
});

describe('the error codes', () => {
  it('are the same in the addon and in core/errors.ts', () => {
    expect(addonErrorCodes()).toEqual(engineErrorCodes);
  });

  it('are the same in native/engine/error.h and in core/errors.ts', () => {
    const header = readFileSync(path.join(import.meta.dirname, '..', '..', 'native', 'engine', 'error.h'), 'utf8');
    const enumeration = /enum class ErrorCode \{([^}]*)\}/.exec(header)?.[1] ?? '';
    const names = [...enumeration.matchAll(/\bk([A-Z]\w*)/g)].map(
      ([, name = '']) => name[0]?.toLowerCase() + name.slice(1),
    );
    expect(names).toEqual(engineErrorCodes);
  });
});

describe('the path of the addon', () => {
  const parts = ['build', 'addon', 'Release', 'convolve.node'];

  it('starts at the root, one folder above the sources and two above the bundle', () => {
    expect(addonPathFrom(path.join('/app', 'main'))).toBe(path.join('/app', ...parts));
    expect(addonPathFrom(path.join('/app', 'dist', 'main'))).toBe(path.join('/app', ...parts));
  });

  it('leaves the archive of a packed app', () => {
    const packed = path.join('/opt', 'app.asar.folder', 'resources', 'app.asar', 'dist', 'main');
    const resources = path.join('/opt', 'app.asar.folder', 'resources');
    expect(addonPathFrom(packed)).toBe(path.join(resources, 'app.asar.unpacked', ...parts));
  });
});

describe('an addon that does not load', () => {
  it('is named, with the remedy, when it is missing', async () => {
    const file = path.join(folder, 'missing.node');
    expect(await failureFrom(() => loadEngine(file))).toEqual({
      code: 'backendUnavailable',
      subject: file,
      expected: 'the built engine; `npm run setup` builds it',
      actual: 'no such file',
    });
  });

  it('is named, with the reason, when it is no addon', async () => {
    const file = path.join(folder, 'text.node');
    writeFileSync(file, 'this is not a library');
    const failure = await failureFrom(() => startEngine(file));
    expect(failure).toMatchObject({ code: 'backendUnavailable', subject: file });
    expect(failure.expected).toContain('npm run setup');
    expect(failure.actual).not.toBe('');
  });
});
