// The Frequency tab: its map and curves are read by keyboard and saved as pictures and numbers.

import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { addFilter, answerDialogs } from '../../scripts/editorActions';
import { expect, samplePhoto, test } from './editorTest';

test('map and curves are read by keyboard, and saved as PNG and CSV', async ({ startEditor, folder }) => {
  const editor = await startEditor({ photo: samplePhoto });
  const { page } = editor;
  await addFilter(page, 'Sharpen');
  await page.getByRole('tab', { name: 'Frequency' }).click();
  const facts = page.getByTestId('frequency-facts');
  await expect(facts).toContainText('yes, up to 200 % beyond it');
  await expect(facts).toContainText('9 at 0.5, -0.5');
  await page.getByTestId('frequency-map').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('frequency-reading')).toContainText('0.003906, 0 cycles/pixel');
  const cuts = page.getByTestId('frequency-cuts');
  await cuts.focus();
  await page.keyboard.press('End');
  await expect(cuts).toHaveAttribute('aria-valuetext', /^0\.5 cycles\/pixel · horizontal 5 \(13.98 dB\)/);
  const csv = `${folder}/cuts.csv`;
  await answerDialogs(editor, { save: csv });
  await page.getByTestId('save-cuts-csv').click();
  await expect(page.getByTestId('notices')).toContainText('Saved cuts.csv');
  expect((await readFile(csv, 'utf8')).split('\r\n')[0]).toBe(
    'cycles per pixel,horizontal,horizontal dB,vertical,vertical dB,radial,radial dB',
  );
  const png = `${folder}/map.png`;
  await answerDialogs(editor, { save: png });
  await page.getByTestId('save-map-png').click();
  await expect(page.getByTestId('notices')).toContainText('Saved map.png');
  expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1032, height: 912 });
});

test('a kernel that shifts has a phase to look at', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Kirsch');
  await page.getByRole('tab', { name: 'Frequency' }).click();
  await page.getByRole('radio', { name: 'Phase' }).click();
  await expect(page.getByTestId('frequency-map')).toHaveAttribute('aria-label', /^Phase in radians/);
});
