// `npm start [-- photo]`: sets everything up and opens the editor. Where there is no display it says so and shows the main
// job on a virtual screen instead.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { checkSandbox, sandboxSwitches } from './chromiumSandbox';
import { runTask, say, TaskError } from './console';
import { demonstrate } from './demonstration';
import { environmentFor } from './editor';
import type { ElectronRuntime } from './electronRuntime';
import { calledFrom, inRoot, root } from './paths';
import { prepare } from './preparation';
import { hasDisplay } from './virtualScreen';

const samplePhoto = inRoot('samples', 'canyon.jpg');

/** The photo on the command line, absolute. Throws where there is no such file, before anything is built. */
function photoArgument(words: readonly string[]): string | undefined {
  const [given, ...rest] = words;
  if (rest.length > 0) throw new TaskError(`Expected one photo, got ${words.length}.`, 'npm start -- photo.jpg', 2);
  if (given === undefined) return undefined;
  const photo = path.resolve(calledFrom, given);
  if (!statSync(photo, { throwIfNoEntry: false })?.isFile()) {
    throw new TaskError(
      `There is no file ${photo}.`,
      'npm start -- photo.jpg takes a path from the folder you are in.',
      2,
    );
  }
  return photo;
}

async function openEditor(runtime: ElectronRuntime, photo: string | undefined): Promise<number> {
  checkSandbox(runtime);
  const switches = sandboxSwitches();
  if (switches.length > 0) {
    say('Editor', `you are root, and Chromium does not sandbox root: starting with ${switches.join(' ')}`);
  }
  say('Editor', photo === undefined ? 'opening' : `opening ${photo}`);
  const child = spawn(runtime.executable, [...switches, root, ...(photo === undefined ? [] : [photo])], {
    cwd: calledFrom,
    stdio: 'inherit',
    env: environmentFor(undefined),
  });
  process.once('exit', () => child.kill());
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function demonstrateInstead(photo: string): Promise<number> {
  say(
    'Display',
    'there is none here (DISPLAY and WAYLAND_DISPLAY are not set), so the editor runs on a virtual screen',
  );
  const { screenshot, exported } = await demonstrate(photo);
  process.stdout.write(
    `\nScreenshot of the editor: ${screenshot}\nExported photo:           ${exported}\n\n` +
      'The same without a window:  npx convolve apply samples/canyon.jpg --filter gaussian:sigma=6 -o blurred.png\n',
  );
  return 0;
}

await runTask(async () => {
  const photo = photoArgument(process.argv.slice(2));
  const visible = hasDisplay();
  const runtime = await prepare(visible ? [] : ['screen']);
  return visible ? openEditor(runtime, photo) : demonstrateInstead(photo ?? samplePhoto);
});
