// An export that is killed at any moment leaves the old file or the new one, whole. CONVOLVE_KILLS sets how many are killed
// (200 for the full run); the moments come from a seed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digestOf } from '../../../main/receipt';
import { removeAbandoned } from '../../../main/temporaryFiles';
import { randomSource } from '../../unit/core/randomNumbers';
import { fixturePath } from '../../unit/main/fixtures';
import { bundleProgram } from '../programs';

const kills = Number(process.env.CONVOLVE_KILLS ?? 6);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-killed-'));
});
afterAll(() => rm(folder, { recursive: true }));

it(`${kills} killed exports leave one of the two results, whole`, async () => {
  const bundle = await bundleProgram('main/exporting');
  const target = path.join(folder, 'out.png');
  const random = randomSource(7);
  const found = new Map<string, number>();
  for (let kill = 0; kill < kills; kill += 1) {
    const picture = fixturePath('photos/chelsea_451x300.png');
    const child = spawn(process.execPath, [bundle, picture, target], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    // The first export is there; then any moment of those that follow.
    await wait(random.next() * 120);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const digest = digestOf([await readFile(target)]);
    found.set(digest, (found.get(digest) ?? 0) + 1);
  }
  // Nothing but the two results was ever found: a half or mixed file would be a third.
  expect(found.size).toBeLessThanOrEqual(2);
  // What the killed ones left behind is known by its name and can be removed.
  const left = (await readdir(folder)).filter((name) => name !== 'out.png');
  for (const name of left) expect(name).toMatch(/^\.convolve-[0-9a-f]{8}-[0-9a-f]+-\d+-\d+-\d+-[0-9a-f]{16}\.tmp$/);
  await removeAbandoned(folder, 0);
  expect(await readdir(folder)).toEqual(['out.png']);
}, 900_000);
