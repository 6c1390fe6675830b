// From a painted kernel to another program: a person who has never seen the app paints a 9 × 9 emboss, reads its rank, copies the
// command for ImageMagick, and gets from it the picture that the app exports.

import { command, findProgram } from '../../scripts/command';
import { addFilter, exportPicture, waitForExact } from '../../scripts/editorActions';
import { expect, test } from './editorTest';
import { clickCell, dragOverCells, setBrush, setSize } from './kernelGrid';
import { difference, readPixels, smallPhoto } from './pictures';

const magick = ['magick', 'convert'].map(findProgram).find((program) => program !== undefined);

test('a painted 9 × 9 emboss does in ImageMagick what it does here', async ({ startEditor, folder }) => {
  test.skip(magick === undefined, 'needs ImageMagick');
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Custom kernel');
  await setSize(page, 'width', 9);
  await page.getByTestId('grid-tool-erase').click();
  await clickCell(page, 4, 4);
  await page.getByTestId('grid-tool-paint').click();
  await setBrush(page, 'value', 1);
  await dragOverCells(page, [
    [1, 4],
    [1, 1],
    [4, 1],
  ]);
  await setBrush(page, 'value', -1);
  await dragOverCells(page, [
    [7, 4],
    [7, 7],
    [4, 7],
  ]);
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
    .replace('output.png', `-depth 8 '${folder}/there.png'`);
  const run = await command('sh', ['-c', pasted]);
  expect(run.code, run.output).toBe(0);
  const there = await readPixels(`${folder}/there.png`);
  const here = await readPixels(`${folder}/here.png`);
  const { largest, equalShare } = difference(here, there);
  expect(largest).toBeLessThanOrEqual(1);
  expect(equalShare).toBeGreaterThan(0.98);
  const spread = here.data.reduce((most, value) => Math.max(most, Math.abs(value - 128)), 0);
  expect(spread, 'it is a relief, not a grey picture').toBeGreaterThan(60);
});
