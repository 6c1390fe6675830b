// The main job on a machine without a display: the same app on a virtual screen opens a photo, blurs it, shows the exact
// result beside the original, exports it, and leaves a screenshot and the exported photo in out/demonstration/.

import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { say } from './console';
import { launchEditor } from './editor';
import { addFilter, exportPicture, setParameter, waitForExact } from './editorActions';
import { inRoot } from './paths';
import { startVirtualScreen } from './virtualScreen';

export interface DemonstrationResult {
  readonly screenshot: string;
  readonly exported: string;
}

/** Shows `photo` through a Gaussian blur of σ 6 pixels. Both files are new; those of an earlier run are replaced. */
export async function demonstrate(photo: string): Promise<DemonstrationResult> {
  const folder = inRoot('out', 'demonstration');
  const name = path.parse(photo).name;
  const screenshot = path.join(folder, `${name}-editor.png`);
  const exported = path.join(folder, `${name}-gaussian.png`);
  mkdirSync(folder, { recursive: true });
  for (const file of [screenshot, exported]) rmSync(file, { force: true });

  const screen = await startVirtualScreen();
  try {
    const editor = await launchEditor({ photo, display: screen.display, switches: ['--lang=en-US'] });
    try {
      say('Demonstration', `opening ${photo}`);
      await waitForExact(editor.page);
      say('Demonstration', 'Gaussian blur, σ 6 pixels');
      await addFilter(editor.page, 'Gaussian blur');
      await setParameter(editor.page, 'sigma', 6);
      await waitForExact(editor.page);
      await editor.page.screenshot({ path: screenshot });
      say('Demonstration', 'exporting at full size');
      await exportPicture(editor, exported, 'png');
    } finally {
      await editor.close();
    }
  } finally {
    await screen.close();
  }
  return { screenshot, exported };
}
