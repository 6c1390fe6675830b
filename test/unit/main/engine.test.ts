// How programs start the engine: one with a window asks it to stand behind, before anything else.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEngine, startEngineBehindWindow } from '../../../main/engine';

let folder: string;
/** An addon that writes down what it is asked for. */
let addon: string;
let asked: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-engine-'));
  addon = path.join(folder, 'addon.cjs');
  asked = path.join(folder, 'asked');
  await writeFile(
    addon,
    `const note = (name) => require('node:fs').appendFileSync(${JSON.stringify(asked)}, name + '\\n');
    exports.giveWay = () => note('giveWay');
    exports.prepare = async () => note('prepare');`,
  );
});
afterEach(() => rm(folder, { recursive: true }));

describe('the engine', () => {
  it('of a program with a window stands behind it from the start', async () => {
    await startEngineBehindWindow(addon);
    expect(await readFile(asked, 'utf8')).toBe('giveWay\nprepare\n');
  });

  it('of the command line stands behind nobody', async () => {
    await startEngine(addon);
    expect(await readFile(asked, 'utf8')).toBe('prepare\n');
  });
});
