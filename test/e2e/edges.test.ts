// Canny in the editor: chosen in the list, seen as thin lines, and exported as the very pixels that the screen showed.

import path from 'node:path';
import type { Editor, EditorOptions } from '../../scripts/editor';
import { addFilter, exportPicture, setParameter, waitForExact } from '../../scripts/editorActions';
import { accessibilityViolations } from './accessibility';
import { referenceResult } from './commandLine';
import { expect, test } from './editorTest';
import { canvasPixels, difference, type Pixels, readPixels, smallPhoto } from './pictures';

/** The part of the canvas that shows a picture of this size in its middle, at 100 %, `dx` and `dy` pixels off. */
function middle(screen: Pixels, { width, height, channels }: Pixels, dx: number, dy: number): Pixels {
  const left = Math.floor((screen.width - width) / 2) + dx;
  const top = Math.floor((screen.height - height) / 2) + dy;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = ((top + y) * screen.width + left + x) * 4;
      data.set(screen.data.subarray(at, at + channels), (y * width + x) * channels);
    }
  return { width, height, channels, data };
}

/** The editor with the result of a picture alone, at 100 %. */
async function openResult(start: (options: EditorOptions) => Promise<Editor>, photo: string): Promise<Editor> {
  const editor = await start({ photo });
  await editor.page.getByTestId('compare-result').click();
  await editor.page.getByTestId('zoom-100').click();
  return editor;
}

/** How far an exported picture lies from the screen, on which it is centred to the nearest pixel: the largest difference. */
function farFromScreen(exported: Pixels, screen: Pixels): number {
  const places = [0, 1].flatMap((dx) => [0, 1].map((dy) => difference(exported, middle(screen, exported, dx, dy))));
  return Math.min(...places.map(({ largest }) => largest));
}

test('Canny shows edges at once, follows its sliders, and exports what the screen shows', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder);
  const editor = await openResult(startEditor, photo);
  const { page } = editor;
  await page.getByTestId('filter-search').fill('cann');
  await addFilter(page, 'Canny');
  await waitForExact(page);
  const usual = await canvasPixels(page);

  await setParameter(page, 'sigma', 1);
  await setParameter(page, 'low', 3);
  await setParameter(page, 'high', 8);
  await expect(page.getByTestId('stack-item')).toContainText('σ 1 · 3–8 %');
  await waitForExact(page);
  const screen = await canvasPixels(page);
  expect(difference(usual, screen).largest).toBe(255);

  const file = path.join(folder, 'edges.png');
  await exportPicture(editor, file, 'png');
  const exported = await readPixels(file);
  const white = exported.data.filter((value) => value === 255).length;
  expect(white + exported.data.filter((value) => value === 0).length).toBe(exported.data.length);
  expect(white / exported.data.length).toBeGreaterThan(0.01);
  expect(white / exported.data.length).toBeLessThan(0.4);
  expect(farFromScreen(exported, screen)).toBe(0);

  await referenceResult(photo, path.join(folder, 'law.png'), '--filter', 'canny:sigma=1,low=3,high=8');
  expect(difference(exported, await readPixels(path.join(folder, 'law.png'))).equalShare).toBeGreaterThan(0.999);

  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  await waitForExact(page);
  expect(difference(usual, await canvasPixels(page)).largest).toBe(0);
});

test('the direction of a gradient is chosen in the list, explained, and exported as the screen shows it', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder);
  const editor = await openResult(startEditor, photo);
  const { page } = editor;
  await addFilter(page, 'Gradient direction');
  await expect(page.getByTestId('stack-item')).toContainText('Sobel');
  await waitForExact(page);
  const screen = await canvasPixels(page);

  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+I');
  await expect(page.getByTestId('explain-direction')).toContainText('°');
  await expect(page.getByTestId('explain-direction-result')).toHaveText(/^Result: \d+/);
  expect(await accessibilityViolations(page, '[data-testid="explain"]')).toEqual([]);

  const file = path.join(folder, 'direction.png');
  await exportPicture(editor, file, 'png');
  const exported = await readPixels(file);
  expect(new Set(exported.data).size).toBeGreaterThan(200);
  expect(farFromScreen(exported, screen)).toBe(0);
  await referenceResult(photo, path.join(folder, 'law.png'), '--filter', 'gradientDirection:sobel');
  expect(difference(exported, await readPixels(path.join(folder, 'law.png'))).equalShare).toBeGreaterThan(0.999);
});
