// Mixing a filter with the picture before it: opacity, blend mode and channels, on the screen and in the exported file.

import path from 'node:path';
import { addFilter, exportPicture, runCommand, setParameter, waitForExact } from '../../scripts/editorActions';
import { referenceResult } from './commandLine';
import { expect, samplePhoto, test } from './editorTest';
import { canvasPixels, difference, type Pixels, readPixels, smallPhoto } from './pictures';

/** The part of a canvas that shows a picture of this size in its middle, at the place where the two are most alike. */
function pictureOn(screen: Pixels, { width, height, data }: Pixels): number {
  const left = Math.floor((screen.width - width) / 2);
  const top = Math.floor((screen.height - height) / 2);
  const places = [0, 1].flatMap((dx) => [0, 1].map((dy) => [left + dx, top + dy] as const));
  const differences = places.map(([x, y]) => {
    const shown = new Uint8Array(data.length);
    for (let row = 0; row < height; row += 1)
      for (let column = 0; column < width; column += 1) {
        const at = ((y + row) * screen.width + x + column) * 4;
        shown.set(screen.data.subarray(at, at + 3), (row * width + column) * 3);
      }
    return difference({ width, height, channels: 3, data: shown }, { width, height, channels: 3, data }).largest;
  });
  return Math.min(...differences);
}

test('a mixed filter is exported as it is shown, and as the reference computes it', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await page.getByTestId('compare-result').click();
  await addFilter(page, 'Gaussian blur');
  await setParameter(page, 'sigma', 4);
  const opacity = page.getByTestId('mix-opacity-field');
  await opacity.fill('60');
  await opacity.press('Enter');
  await page.getByTestId('mix-blend').click();
  await page.getByRole('option', { name: 'Soft light' }).click();
  await expect(page.getByTestId('stack-item')).toContainText('60 % · Soft light · σ 4');
  await page.getByTestId('zoom-100').click();
  await waitForExact(page);
  const screen = await canvasPixels(page);
  await exportPicture(editor, path.join(folder, 'mixed.png'), 'png');
  const exported = await readPixels(path.join(folder, 'mixed.png'));
  expect(pictureOn(screen, exported)).toBe(0);

  await referenceResult(photo, path.join(folder, 'law.png'), '-f', 'gaussian:sigma=4,opacity=0.6,blend=soft-light');
  const { largest, equalShare } = difference(exported, await readPixels(path.join(folder, 'law.png')));
  expect(largest).toBeLessThanOrEqual(1);
  expect(equalShare).toBeGreaterThanOrEqual(0.999);
});

test('a drag of the opacity is one step, and its commands are too', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Box blur');
  const slider = page.getByRole('slider', { name: 'Opacity' });
  const value = async () => Number(await slider.getAttribute('aria-valuenow'));
  await slider.focus();
  await page.keyboard.down('ArrowLeft');
  await page.keyboard.down('ArrowLeft');
  await page.keyboard.up('ArrowLeft');
  expect(await value()).toBe(98);
  await runCommand(page, 'Multiply');
  await expect(page.getByTestId('stack-item')).toContainText('98 % · Multiply');
  await page.keyboard.press('Control+Z');
  await expect(page.getByTestId('stack-item')).not.toContainText('Multiply');
  await page.keyboard.press('Control+Z');
  expect(await value()).toBe(100);
  await expect(page.getByTestId('stack-item')).toHaveCount(1);
});

test('a filter may change one channel, or the luminance alone', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  await setParameter(page, 'sigma', 6);
  await page.getByTestId('mix-channels').click();
  await page.getByRole('option', { name: 'Red only' }).click();
  await waitForExact(page);
  await exportPicture(editor, path.join(folder, 'red.png'), 'png');
  const [before, after] = [await readPixels(photo), await readPixels(path.join(folder, 'red.png'))];
  const changed = [0, 1, 2].map((c) => after.data.some((value, at) => at % 3 === c && value !== before.data[at]));
  expect(changed).toEqual([true, false, false]);
});
