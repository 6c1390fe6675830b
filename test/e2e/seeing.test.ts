// Ways to see a result: its difference from the original, one filter alone, clipped values, the original while a key is held,
// the steps of the history; and a slider that moves faster than anything can be computed.

import path from 'node:path';
import type { Page } from 'playwright';
import { addFilter, exportPicture, setParameter, waitForExact } from '../../scripts/editorActions';
import { referenceResult } from './commandLine';
import { expect, samplePhoto, test } from './editorTest';
import { holdArrows } from './heldKey';
import { canvasPixels, difference, middleColour, plainPicture, readPixels, smallPhoto } from './pictures';

const grey = { r: 100, g: 100, b: 100 };
const press = async (page: Page, key: string) => {
  await page.getByTestId('viewport').focus();
  await page.keyboard.press(key);
};

test('the difference is signed and amplified: an emboss adds 28 to a grey of 100', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: await plainPicture(folder, 'grey.png', grey) });
  await addFilter(page, 'Emboss');
  await press(page, 'Alt+4');
  await waitForExact(page);
  await expect(page.getByTestId('difference-tag')).toContainText('× 4');
  expect(await middleColour(page)).toEqual([128 + 4 * 28, 128 + 4 * 28, 128 + 4 * 28, 255]);
  await press(page, '[');
  await expect(page.getByTestId('difference-tag')).toContainText('× 2');
  await waitForExact(page);
  expect((await middleColour(page))[0]).toBe(128 + 2 * 28);
});

test('one filter is seen alone, and the export still holds all', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await page.getByTestId('compare-result').click();
  await addFilter(page, 'Gaussian blur');
  await waitForExact(page);
  const blurred = await canvasPixels(page);
  await addFilter(page, 'Sobel');
  await page.getByTestId('stack-item').first().click();
  await press(page, 'Alt+S');
  await waitForExact(page);
  await expect(page.getByTestId('solo-tag')).toContainText('Gaussian blur');
  expect(difference(blurred, await canvasPixels(page)).largest).toBe(0);
  await exportPicture(editor, path.join(folder, 'out.png'), 'png');
  const filters = ['--filter', 'gaussian:sigma=3', '--filter', 'sobel'];
  await referenceResult(photo, path.join(folder, 'law.png'), ...filters);
  const law = await readPixels(path.join(folder, 'law.png'));
  expect(difference(law, await readPixels(path.join(folder, 'out.png'))).largest).toBeLessThanOrEqual(1);
});

test('a key shows the original while it is held', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: await plainPicture(folder, 'grey.png', grey) });
  await page.getByTestId('compare-result').click();
  await addFilter(page, 'Emboss');
  await waitForExact(page);
  await page.getByTestId('viewport').focus();
  await page.keyboard.down('\\');
  await expect.poll(() => middleColour(page)).toEqual([100, 100, 100, 255]);
  await page.keyboard.up('\\');
  await expect.poll(() => middleColour(page)).toEqual([128, 128, 128, 255]);
});

test('clipped values are marked', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: await plainPicture(folder, 'grey.png', grey) });
  await page.getByTestId('compare-result').click();
  await addFilter(page, 'Sobel');
  await press(page, 'Alt+C');
  await waitForExact(page);
  expect(await middleColour(page)).toEqual([0x4c, 0x8d, 0xd6, 255]);
});

test('the steps have names, and choosing one goes there and back', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: await smallPhoto(folder) });
  await addFilter(page, 'Gaussian blur');
  await setParameter(page, 'sigma', 4.5);
  await page.getByTestId('stack-item').first().click();
  await page.keyboard.press('F2');
  await page.keyboard.type('Soft');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('stack-item')).toContainText('Soft');
  await page.getByTestId('history').click();
  const steps = page.getByTestId('history-step');
  await expect(steps).toHaveText(['Opened', 'Added Gaussian blur', 'Gaussian blur: Radius σ 3 → 4.5', 'Renamed Soft']);
  await steps.first().click();
  await expect(page.getByTestId('stack-item')).toHaveCount(0);
  await expect(steps).toHaveCount(4);
  await steps.nth(2).click();
  await expect(page.getByTestId('stack-item')).toContainText('σ 4.5');
});

test('a repeated filter and diffusion are what the reference computes', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder, 120, 80);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Diffusion');
  await setParameter(page, 'iterations', 25);
  await expect(page.getByTestId('stack-item')).toContainText('25 steps');
  await waitForExact(page);
  await exportPicture(editor, path.join(folder, 'out.png'), 'png');
  await referenceResult(photo, path.join(folder, 'law.png'), '--filter', 'diffusion:iterations=25,rate=0.2');
  const { largest, equalShare } = difference(
    await readPixels(path.join(folder, 'out.png')),
    await readPixels(path.join(folder, 'law.png')),
  );
  expect(largest).toBeLessThanOrEqual(1);
  expect(equalShare).toBeGreaterThanOrEqual(0.999);
});

test('200 changes in 2 s: one render at a time, and the last value is on the screen', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await page.getByTestId('compare-result').click();
  await addFilter(page, 'Gaussian blur');
  await waitForExact(page);
  const countsOf = () =>
    page.evaluate(async () => {
      const { bridge } = window as unknown as { bridge: { call(channel: string): Promise<{ value: unknown }> } };
      return (await bridge.call('render:counts')).value as Record<string, number>;
    });
  const before = await countsOf();
  const slider = page.getByRole('slider', { name: 'Radius σ' });
  await holdArrows(slider);
  await waitForExact(page);
  const after = await countsOf();
  expect(after.mostRunning).toBe(1);
  const started = (after.started ?? 0) - (before.started ?? 0);
  expect(started).toBeGreaterThan(1);
  expect(started).toBeLessThan(200);
  const shown = await canvasPixels(page);
  const sigma = Number(await slider.getAttribute('aria-valuenow'));
  // One gesture, one step; the same value again is drawn the same.
  await page.keyboard.press('Control+Z');
  await waitForExact(page);
  await setParameter(page, 'sigma', sigma);
  await waitForExact(page);
  expect(difference(shown, await canvasPixels(page)).largest).toBe(0);
});
