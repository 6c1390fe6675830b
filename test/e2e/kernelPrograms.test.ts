// From a painted kernel to another program: a person who has never seen the app paints a 9 × 9 emboss, reads its rank, copies the
// command for ImageMagick, and gets from it the picture that the app exports.

import sharp from 'sharp';
import { command, findProgram } from '../../scripts/command';
import { exportPicture, waitForExact } from '../../scripts/editorActions';
import { expect, test } from './editorTest';
import { emptyKernel, paintEmboss } from './kernelGrid';
import { readPixels, smallPhoto } from './pictures';

const magick = ['magick', 'convert'].map(findProgram).find((program) => program !== undefined);

test('a painted 9 × 9 emboss does in ImageMagick what it does here', async ({ startEditor, folder }) => {
  test.skip(magick === undefined, 'needs ImageMagick');
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await emptyKernel(page, 9);
  await paintEmboss(page);
  await page.getByTestId('kernel-divisor').fill('4');
  await page.getByTestId('kernel-divisor').press('Enter');
  await page.getByTestId('kernel-bias').fill('0.5');
  await page.getByTestId('kernel-bias').press('Enter');
  await page.getByTestId('setting-border').click();
  await page
    .getByRole('option', { name: /edge pixel|repeat/i })
    .first()
    .click();
  await expect(page.getByTestId('separability-rank')).toContainText('4 of 9');

  await page.getByRole('tab', { name: 'Code', exact: true }).click();
  await page.getByTestId('code-copy').click();
  await expect(page.getByTestId('notices')).toContainText('Copied');
  const text = await editor.application.evaluate(({ clipboard }) => clipboard.readText());
  await page.getByTestId('notices').getByRole('button', { name: 'Dismiss' }).click();
  await waitForExact(page);
  await exportPicture(editor, `${folder}/here.png`, 'png');

  const pasted = text
    .replace(/^magick (?=input)/m, `'${magick}' `)
    .replace('input.png', `'${photo}'`)
    .replace('output.png', `-depth 16 '${folder}/there.png'`);
  const run = await command('sh', ['-c', pasted]);
  expect(run.code, run.output).toBe(0);
  // In 16 bits, because ImageMagick cuts where it writes 8: this file holds what lies between two levels.
  const raw = sharp(`${folder}/there.png`).toColourspace('rgb16').raw({ depth: 'ushort' });
  const { data, info } = await raw.toBuffer({ resolveWithObject: true });
  const there = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  const here = await readPixels(`${folder}/here.png`);
  expect([info.width, info.height, info.channels]).toEqual([here.width, here.height, here.channels]);
  expect(there.length).toBe(here.data.length);
  const largest = here.data.reduce(
    (most, value, index) => Math.max(most, Math.abs(value - (there[index] ?? 0) / 257)),
    0,
  );
  expect(largest, 'levels that rounding explains').toBeLessThanOrEqual(0.51);
  const spread = here.data.reduce((most, value) => Math.max(most, Math.abs(value - 128)), 0);
  expect(spread, 'it is a relief, not a grey picture').toBeGreaterThan(60);
});
