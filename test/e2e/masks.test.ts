// Masks in the running editor: drawn, painted, held by their handles, seen, saved, and what the file then holds.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import {
  addFilter,
  answerDialogs,
  exportPicture,
  runCommand,
  setParameter,
  waitForExact,
} from '../../scripts/editorActions';
import { accessibilityViolations } from './accessibility';
import { convolve, referenceResult } from './commandLine';
import { expect, test } from './editorTest';
import { canvasPixels, readPixels, smallPhoto } from './pictures';

/** Drags over the picture between two places, as shares of the canvas, in several moves. */
async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const box = await page.getByTestId('viewport').boundingBox();
  if (box === null) throw new Error('no canvas');
  const at = ([x, y]: readonly [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  for (const share of [0.25, 0.5, 0.75, 1])
    await page.mouse.move(...at([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]));
  await page.mouse.up();
}

const field = (page: Page, name: string) => page.getByTestId(`mask-field-${name}`);
const numberIn = async (page: Page, name: string) => Number(await field(page, name).inputValue());
const shapes = (page: Page) => page.getByTestId('mask-shape');

/** How the two files differ inside and outside of an ellipse, leaving out the pixels that its edge goes through. */
function differences(
  a: Awaited<ReturnType<typeof readPixels>>,
  b: Awaited<ReturnType<typeof readPixels>>,
  ellipse: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
) {
  const largest = { inside: 0, outside: 0 };
  for (let y = 0; y < a.height; y++)
    for (let x = 0; x < a.width; x++) {
      const distance = Math.hypot(
        (x + 0.5 - ellipse.x) / (ellipse.width / 2),
        (y + 0.5 - ellipse.y) / (ellipse.height / 2),
      );
      const edge = 2 / Math.min(ellipse.width, ellipse.height);
      if (Math.abs(distance - 1) <= edge) continue;
      const where = distance < 1 ? 'inside' : 'outside';
      for (let channel = 0; channel < a.channels; channel++) {
        const at = (y * a.width + x) * a.channels + channel;
        largest[where] = Math.max(largest[where], Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0)));
      }
    }
  return largest;
}

test('an ellipse drawn on the picture: outside every byte is the photo, inside the filter', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  await setParameter(page, 'sigma', 4);
  await page.getByTestId('mask-tool-ellipse').click();
  await drag(page, [0.35, 0.35], [0.65, 0.6]);
  await expect(shapes(page)).toHaveCount(1);
  await expect(page.getByTestId('stack-mask')).toBeVisible();
  const ellipse = {
    x: await numberIn(page, 'x'),
    y: await numberIn(page, 'y'),
    width: await numberIn(page, 'width'),
    height: await numberIn(page, 'height'),
  };
  expect(Math.min(ellipse.width, ellipse.height)).toBeGreaterThan(30);
  await waitForExact(page);
  await exportPicture(editor, path.join(folder, 'masked.png'), 'png');
  await referenceResult(photo, path.join(folder, 'blurred.png'), '--filter', 'gaussian:sigma=4');
  const masked = await readPixels(path.join(folder, 'masked.png'));
  expect(differences(masked, await readPixels(photo), ellipse).outside).toBe(0);
  const { inside, outside } = differences(masked, await readPixels(path.join(folder, 'blurred.png')), ellipse);
  expect(inside).toBeLessThanOrEqual(1);
  expect(outside).toBeGreaterThan(8);
});

test('a drag is one step of undo, and Esc takes it back', async ({ startEditor, folder }) => {
  const editor = await startEditor({ photo: await smallPhoto(folder) });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  await page.getByTestId('mask-tool-rectangle').click();
  await drag(page, [0.4, 0.4], [0.6, 0.6]);
  await expect(shapes(page)).toHaveCount(1);
  await page.keyboard.press('Control+Z');
  await expect(shapes(page)).toHaveCount(0);
  await expect(page.getByTestId('stack-mask')).toHaveCount(0);
  await expect(page.getByTestId('stack-item')).toHaveCount(1);

  const box = await page.getByTestId('viewport').boundingBox();
  if (box === null) throw new Error('no canvas');
  await page.getByTestId('mask-tool-rectangle').click();
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.6);
  await expect(shapes(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(shapes(page)).toHaveCount(0);
  await page.mouse.up();
  await expect(page.getByTestId('stack-mask')).toHaveCount(0);
});

test('strokes are painted, erased and undone one by one', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  await page.getByTestId('mask-tool-brush').click();
  await page.getByTestId('mask-brush-size-field').fill('40');
  await page.getByTestId('mask-brush-size-field').press('Enter');
  await page.getByTestId('viewport').focus();
  await page.keyboard.press(']');
  await expect(page.getByTestId('mask-brush-size-field')).toHaveValue('44');
  const strokes = page.getByTestId('mask-section').locator('.mask-strokes');
  await drag(page, [0.4, 0.5], [0.6, 0.5]);
  await expect(strokes).toHaveText('1 stroke');
  await waitForExact(page);
  const painted = await canvasPixels(page);
  await page.keyboard.down('Alt');
  await drag(page, [0.4, 0.5], [0.6, 0.5]);
  await expect(page.getByTestId('explain')).toHaveCount(0);
  await page.keyboard.up('Alt');
  await expect(strokes).toHaveText('2 strokes');
  await page.keyboard.press('Control+Z');
  await expect(strokes).toHaveText('1 stroke');
  // Esc closes what is open before it puts the brush away.
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('dialog', { name: 'Filters and commands' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Filters and commands' })).toHaveCount(0);
  await expect(page.getByTestId('mask-tool-brush')).toHaveAttribute('data-selected', 'true');
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('mask-tool-brush')).not.toHaveAttribute('data-selected', 'true');
  await exportPicture(editor, path.join(folder, 'painted.png'), 'png');
  const [before, after] = [await readPixels(photo), await readPixels(path.join(folder, 'painted.png'))];
  const middle = (100 * 300 + 150) * 3;
  const row = (y: number) => [y * 300 * 3, (y + 1) * 300 * 3] as const;
  expect(after.data.subarray(...row(5))).toEqual(before.data.subarray(...row(5)));
  expect(after.data.subarray(middle - 30, middle + 30)).not.toEqual(before.data.subarray(middle - 30, middle + 30));
  expect(painted.data.length).toBeGreaterThan(0);
});

test('the arrow keys move a handle, and the mask shows over the picture until it is put away', async ({
  startEditor,
  folder,
}) => {
  const editor = await startEditor({ photo: await smallPhoto(folder) });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  await waitForExact(page);
  await page.getByTestId('mask-tool-rectangle').click();
  await page.getByTestId('mask-middle').click();
  await expect(field(page, 'x')).toHaveValue('150');
  await page.getByTestId('mask-handle-move').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(field(page, 'x')).toHaveValue('151');
  await expect(field(page, 'y')).toHaveValue('110');
  await page.getByTestId('mask-handle-e').focus();
  await page.keyboard.press('ArrowRight');
  await expect(field(page, 'width')).toHaveValue('101');
  await page.getByTestId('mask-handle-rotate').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(field(page, 'angle')).toHaveValue('1');

  // The overlay is red in the middle of the picture; without it the picture is as it was.
  await page.getByTestId('compare-result').click();
  const redness = async () => {
    const { data, width, height } = await canvasPixels(page);
    const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
    return (data[at] ?? 0) - ((data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 2;
  };
  await expect.poll(redness).toBeGreaterThan(60);
  await runCommand(page, 'Show the mask');
  await expect.poll(redness).toBeLessThan(60);
});

test('the section, its tools and the handles are named, and can be read in both themes', async ({
  startEditor,
  folder,
}) => {
  const { page } = await startEditor({ photo: await smallPhoto(folder) });
  await addFilter(page, 'Gaussian blur');
  for (const theme of ['Dark', 'Light']) {
    await runCommand(page, theme);
    await page.getByTestId('mask-tool-radial').click();
    expect(await accessibilityViolations(page, '[data-testid="mask-section"]'), `drawing, ${theme}`).toEqual([]);
    await page.getByTestId('mask-middle').click();
    await expect(page.getByTestId('mask-handle-inner')).toBeVisible();
    expect(await accessibilityViolations(page, '[data-testid="mask-layer"]'), `handles, ${theme}`).toEqual([]);
    if (theme === 'Dark') await page.getByTestId('mask-tool-luminance').click();
    await page.getByTestId('mask-tool-brush').click();
    expect(await accessibilityViolations(page, '[data-testid="mask-section"]'), `painting, ${theme}`).toEqual([]);
    await page.getByTestId('viewport').focus();
    await page.keyboard.press('Escape');
  }
});

test('a mask is in the project, and a picture of another size refuses it in words', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const file = path.join(folder, 'masked.convolve');
  const first = await startEditor({ photo });
  await addFilter(first.page, 'Gaussian blur');
  await first.page.getByTestId('mask-tool-radial').click();
  await first.page.getByTestId('mask-middle').click();
  await first.page.getByTestId('mask-invert').click();
  await answerDialogs(first, { save: file });
  await first.page.keyboard.press('Control+S');
  await expect(first.page.getByTestId('status-saved')).toHaveText('Saved');
  await waitForExact(first.page);
  await exportPicture(first, path.join(folder, 'first.png'), 'png');
  await first.close();

  const second = await startEditor({ photo: file });
  await expect(second.page.getByTestId('stack-mask')).toBeVisible();
  await expect(second.page.getByTestId('mask-invert')).toHaveAttribute('data-selected', 'true');
  await waitForExact(second.page);
  await exportPicture(second, path.join(folder, 'second.png'), 'png');
  expect((await readPixels(path.join(folder, 'second.png'))).data).toEqual(
    (await readPixels(path.join(folder, 'first.png'))).data,
  );

  const other = path.join(folder, 'other');
  await mkdir(other);
  const result = await convolve(
    ...['apply', await smallPhoto(other, 200, 200), '--project', file, '-o', path.join(folder, 'no.png')],
  );
  expect(result.code).not.toBe(0);
  expect(result.stderr).toContain('made on a picture of another size (it is 200 × 200; it must be 300 × 200)');
});
