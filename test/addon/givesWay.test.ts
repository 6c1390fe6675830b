// A program with a window has its engine work behind the threads that draw it; on Linux, where each thread has a niceness.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startEngineBehindWindow } from '../../main/engine';
import { boxPass, wholeOf } from './examples';

/** The niceness of every thread of this process, as in proc(5). */
function niceness(): ReadonlyMap<string, number> {
  const folder = '/proc/self/task';
  return new Map(
    readdirSync(folder).flatMap((thread) => {
      try {
        // The name, in brackets, may hold blanks; niceness is the 19th field, the 17th after it.
        const fields = readFileSync(`${folder}/${thread}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
        return [[thread, Number(fields[16])]] as const;
      } catch {
        // It has just ended.
        return [];
      }
    }),
  );
}

it.runIf(process.platform === 'linux')('has its threads behind all others (on Linux)', async () => {
  const before = niceness();
  const engine = await startEngineBehindWindow();
  const size = { width: 512, height: 512 };
  const image = await engine.createImage(new Uint8Array(512 * 512), size, 1, false);
  await engine.run('cpu', [boxPass(15)], image, wholeOf(size), new Uint8Array(512 * 512));
  const after = niceness();
  for (const [thread, nice] of before) expect(after.get(thread) ?? nice).toBe(nice);
  const started = [...after].filter(([thread]) => !before.has(thread)).map(([, nice]) => nice);
  expect(started).toContain(5);
});
