// `npm run package`: packs the app for this system into release/ with electron-builder, as a folder that runs
// (`npm run package -- installers`: as the installers that electron-builder.yml lists, which fetches their tools).

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { build, Platform } from 'electron-builder';
import { duration, runTask, say, TaskError } from './console';
import { packedProgram } from './packedProgram';
import { inRoot } from './paths';
import { prepare } from './preparation';

await runTask(async () => {
  const [kind = 'dir', ...rest] = process.argv.slice(2);
  if (rest.length > 0 || (kind !== 'dir' && kind !== 'installers')) {
    throw new TaskError(
      `Unknown choice “${[kind, ...rest].join(' ')}”.`,
      'Leave it out for a folder, or say: installers.',
      2,
    );
  }
  const runtime = await prepare();
  const started = performance.now();
  say('Package', `packing with Electron ${runtime.version}`);
  await build({
    projectDir: inRoot(),
    targets: Platform.current().createTarget(kind === 'dir' ? 'dir' : null),
    publish: 'never',
    config: {
      extends: inRoot('electron-builder.yml'),
      electronDist: runtime.folder,
      electronVersion: runtime.version,
      // A runtime from the registry brings the app that starts folders in development (scripts/electronRuntime.ts).
      afterExtract: async ({ appOutDir }) => {
        await rm(path.join(appOutDir, 'resources', 'app'), { recursive: true, force: true });
      },
    },
  });
  if (!existsSync(packedProgram.executable)) {
    throw new TaskError(`electron-builder finished without ${packedProgram.executable}.`, 'Read its messages above.');
  }
  say('Package', `${packedProgram.folder} in ${duration(performance.now() - started)}`);
  return undefined;
});
