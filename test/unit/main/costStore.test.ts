// Measured costs on disk: what fits is used, what is damaged or foreign is not and is said, and nothing is lost in between.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CostTable, predictMilliseconds } from '../../../core/costs';
import { shippedCosts } from '../../../core/shippedCosts';
import {
  areCostsFixed,
  costsFile,
  hasCosts,
  loadCosts,
  settingsFolder,
  storeCosts,
} from '../../../main/calibration/store';
import { modelledCosts } from '../core/modelledCosts';

const backends = [
  { name: 'reference', available: true, description: 'loops' },
  { name: 'cpu', available: true, description: 'AVX-512, 2 threads' },
  { name: 'cuda', available: false, description: 'no CUDA device' },
] as const;
const measured: CostTable = { ...modelledCosts(), description: 'AVX-512, 2 threads', engine: '1.0' };

let folder = '';
const file = () => costsFile(folder);
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-costs-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const load = (version = '1.0') => loadCosts(file(), backends, version);

describe('measured costs', () => {
  it('are the shipped ones where nothing was measured, without a word', async () => {
    expect(await load()).toEqual({ tables: shippedCosts, notes: [] });
  });

  it('that are shipped are shared by the threads there are', async () => {
    const of = async (description: string) => {
      const { tables } = await loadCosts(file(), [{ name: 'cpu', available: true, description }], '1.0');
      const picture = { width: 4000, height: 3000, channels: 4, sampleType: 'u8' } as const;
      return (['dense', 'fft'] as const).map(
        (kind) => (predictMilliseconds(tables.cpu, picture, { kind, width: 31, height: 31 }) ?? 0) - tables.cpu.start,
      );
    };
    const two = await of('AVX-512, 2 threads');
    for (const [description, share] of [['AVX-512, 1 thread', 2], ['AVX2, 8 threads', 1 / 4]] as const) // biome-ignore format: shares
      (await of(description)).forEach((time, index) => {
        expect(time / (two[index] ?? 0)).toBeCloseTo(share, 9);
      });
  });

  it('are found again, in a folder that is made, and replace those of the same engine only', async () => {
    folder = path.join(folder, 'new', 'folder');
    await storeCosts(file(), measured);
    await storeCosts(file(), { ...measured, description: 'AVX2, 8 threads' });
    await storeCosts(file(), { ...measured, start: 7 });
    const { tables, notes } = await load();
    expect(notes).toEqual([]);
    expect(tables.cpu).toEqual({ ...measured, start: 7 });
    expect(tables.reference).toBe(shippedCosts.reference);
    expect(JSON.parse(await readFile(file(), 'utf8')).tables).toHaveLength(2);
    expect(await hasCosts(file(), measured)).toBe(true);
    expect(await hasCosts(file(), { ...measured, engine: '2' })).toBe(false);
    expect(await readdir(folder)).toEqual(['costs.json']);
  });

  it.each([
    ['of another version', { engine: '0.9' }],
    ['of other threads', { description: 'AVX-512, 64 threads' }],
  ])('%s are not used, with a note', async (_, part) => {
    await storeCosts(file(), { ...measured, ...part });
    const { tables, notes } = await load();
    expect(tables.cpu).toBe(shippedCosts.cpu);
    expect(notes).toEqual([expect.stringContaining('costs of cpu are of another computer')]);
  });

  it.each([
    ['cut off', '{"version":1,"tab'],
    ['empty', ''],
    ['of another form', '{"version":1,"tables":{}}'],
    ['of another version', '{"version":2,"tables":[]}'],
  ])('in a file that is %s are not used, with a note, and can be measured anew', async (_, text) => {
    await writeFile(file(), text);
    const { tables, notes } = await load();
    expect(tables).toEqual(shippedCosts);
    expect(notes).toEqual([expect.stringContaining('no measured costs that can be read')]);
    await storeCosts(file(), measured);
    expect((await load()).tables.cpu).toEqual(measured);
  });

  it('of an older form are measured anew, without a word', async () => {
    const older = { ...measured, version: 1 };
    await writeFile(file(), JSON.stringify({ version: 1, tables: [older] }));
    expect(await load()).toEqual({ tables: shippedCosts, notes: [] });
    expect(await hasCosts(file(), measured)).toBe(false);
    await storeCosts(file(), measured);
    expect((await load()).tables.cpu).toEqual(measured);
    expect(JSON.parse(await readFile(file(), 'utf8')).tables).toHaveLength(1);
  });

  it('that are damaged leave the others alone', async () => {
    const broken = { ...measured, curves: {} };
    await writeFile(file(), JSON.stringify({ version: 1, tables: [broken, measured] }));
    const { tables, notes } = await load();
    expect(tables.cpu).toEqual(measured);
    expect(notes).toEqual([expect.stringContaining('cannot be read')]);
  });

  it('in the place of a folder are not waited for', async () => {
    await mkdir(file());
    expect((await load()).tables).toEqual(shippedCosts);
    await expect(storeCosts(file(), measured)).rejects.toMatchObject({ failure: { code: 'targetUnwritable' } });
  });
});

it('the settings folder is the one that Electron takes', () => {
  expect(settingsFolder('linux', {}, '/h/ada')).toBe('/h/ada/.config/convolve');
  expect(settingsFolder('linux', { XDG_CONFIG_HOME: '/etc/ada' }, '/h/ada')).toBe('/etc/ada/convolve');
  expect(settingsFolder('linux', { XDG_CONFIG_HOME: 'relative' }, '/h/ada')).toBe('/h/ada/.config/convolve');
  expect(settingsFolder('darwin', {}, '/u/ada')).toBe('/u/ada/Library/Application Support/convolve');
  expect(settingsFolder('win32', { APPDATA: '/roaming' }, '/users/ada')).toBe(path.join('/roaming', 'convolve'));
});

it('plans follow the shipped costs where the environment says so', () => {
  expect(areCostsFixed({ CONVOLVE_COSTS: 'shipped' })).toBe(true);
  expect(areCostsFixed({})).toBe(false);
});
