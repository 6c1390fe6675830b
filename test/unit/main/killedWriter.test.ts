// A process killed in the middle of writing leaves the old file or the new one, whole, never a mixture or a half.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const script = path.join(import.meta.dirname, 'writingForever.ts');
const bytes = 3 * 2 ** 20;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-kill-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('is survived by a whole file, whenever the kill comes', async () => {
  const target = path.join(folder, 'out.png');
  // The kill lands somewhere in the write that the last message announced.
  for (const versions of [2, 5, 9, 14]) {
    const child = fork(script, [target, String(bytes)], { execArgv: ['--import', 'tsx'] });
    let announced = 0;
    await new Promise<void>((resolve) => {
      child.on('message', (version: number) => {
        announced = version;
        if (version === versions) resolve();
      });
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const content = await readFile(target);
    expect(content.length).toBe(bytes);
    expect(content.every((byte) => byte === content[0])).toBe(true);
    expect(content[0]).toBeGreaterThanOrEqual(versions - 1);
    expect(content[0]).toBeLessThanOrEqual(announced);
  }
}, 30_000);
