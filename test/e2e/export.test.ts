// Exporting: every format, the same pixels as the reference, and a stop that leaves nothing behind.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import {
  addFilter,
  answerDialogs,
  type ExportChoice,
  exportPicture,
  setParameter,
  startExport,
  waitForExact,
} from '../../scripts/editorActions';
import { inRoot } from '../../scripts/paths';
import { referenceResult } from './commandLine';
import { expect, samplePhoto, test } from './editorTest';
import { difference, readPixels, smallPhoto } from './pictures';

test('the exported PNG is the reference result', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  await addFilter(editor.page, 'Gaussian blur');
  await setParameter(editor.page, 'sigma', 3);
  await waitForExact(editor.page);
  await exportPicture(editor, path.join(folder, 'blurred.png'), 'png');
  await referenceResult(photo, path.join(folder, 'law.png'), '--filter', 'gaussian:sigma=3');
  const { largest, equalShare } = difference(
    await readPixels(path.join(folder, 'blurred.png')),
    await readPixels(path.join(folder, 'law.png')),
  );
  expect(largest).toBeLessThanOrEqual(1);
  expect(equalShare).toBeGreaterThanOrEqual(0.999);
});

test('a stack of two filters comes out in order', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  await addFilter(editor.page, 'Gaussian blur');
  await setParameter(editor.page, 'sigma', 1.5);
  await addFilter(editor.page, 'Sobel');
  await waitForExact(editor.page);
  await exportPicture(editor, path.join(folder, 'edges.png'), 'png');
  const filters = ['--filter', 'gaussian:sigma=1.5', '--filter', 'sobel'];
  await referenceResult(photo, path.join(folder, 'law.png'), ...filters);
  const { largest, equalShare } = difference(
    await readPixels(path.join(folder, 'edges.png')),
    await readPixels(path.join(folder, 'law.png')),
  );
  expect(largest).toBeLessThanOrEqual(1);
  expect(equalShare).toBeGreaterThanOrEqual(0.999);
});

for (const format of ['jpeg', 'webp', 'tiff'] as const satisfies readonly ExportChoice[]) {
  test(`exports a ${format} that others can read`, async ({ startEditor, folder }) => {
    const editor = await startEditor({ photo: samplePhoto });
    await addFilter(editor.page, 'Sharpen');
    const file = path.join(folder, `sharp.${format}`);
    await exportPicture(editor, file, format);
    const read = await sharp(file).metadata();
    expect({ format: read.format, width: read.width, height: read.height }).toEqual({
      format,
      width: 1600,
      height: 1083,
    });
    await expect(editor.page.getByTestId('status-saved')).toHaveText('Exported, project not saved');
  });
}

test('Esc stops an export and leaves no file behind', async ({ startEditor, folder }) => {
  const editor = await startEditor({ photo: inRoot('samples', 'motherboard.jpg') });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  await waitForExact(page);
  await answerDialogs(editor, { save: path.join(folder, 'stopped.png') });
  await startExport(page, 'png');
  await page.getByTestId('export-progress').waitFor();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('export-progress')).toHaveCount(0);
  expect(await readdir(folder)).toEqual([]);
  await expect(page.getByTestId('status-saved')).toHaveText('Not saved');
});
