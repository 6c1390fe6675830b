// Choosing filters and seeing them: the live picture, undo, the ways to compare, the stack.

import type { Page } from 'playwright';
import { addFilter, setParameter, waitForExact } from '../../scripts/editorActions';
import { referenceResult } from './commandLine';
import { expect, samplePhoto, test } from './editorTest';
import { canvasPixels, difference, type Pixels, plainPicture, readPixels, smallPhoto } from './pictures';

const show = (page: Page, mode: 'result' | 'split' | 'original') => page.getByTestId(`compare-${mode}`).click();

/** Columns `from` up to `to` of a picture. */
function columns({ width, height, channels, data }: Pixels, from: number, to: number): Pixels {
  const part = new Uint8Array((to - from) * height * channels);
  for (let y = 0; y < height; y++) {
    const start = (y * width + from) * channels;
    part.set(data.subarray(start, start + (to - from) * channels), y * (to - from) * channels);
  }
  return { width: to - from, height, channels, data: part };
}

test('a slider moved by keyboard changes the picture, and undo brings it back', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await show(page, 'result');
  await waitForExact(page);
  const original = await canvasPixels(page);

  await addFilter(page, 'Gaussian blur');
  await waitForExact(page);
  const blurred = await canvasPixels(page);
  expect(difference(original, blurred).largest).toBeGreaterThan(10);

  const slider = page.getByRole('slider', { name: 'Radius σ' });
  const sigma = async () => Number(await slider.getAttribute('aria-valuenow'));
  const before = await sigma();
  await slider.focus();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('ArrowRight');
  expect(await sigma()).toBeGreaterThan(before);
  await waitForExact(page);
  const stronger = await canvasPixels(page);
  expect(difference(blurred, stronger).largest).toBeGreaterThan(2);

  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  expect(await sigma()).toBe(before);
  await waitForExact(page);
  expect(difference(blurred, await canvasPixels(page)).largest).toBe(0);

  await page.keyboard.press('Control+Z');
  await expect(page.getByTestId('stack-item')).toHaveCount(0);
  await waitForExact(page);
  expect(difference(original, await canvasPixels(page)).largest).toBe(0);

  await page.keyboard.press('Control+Shift+Z');
  await waitForExact(page);
  expect(difference(blurred, await canvasPixels(page)).largest).toBe(0);
});

test('at 100 % the screen shows the very pixels of the reference result', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const { page } = await startEditor({ photo });
  await show(page, 'result');
  await addFilter(page, 'Unsharp mask');
  await setParameter(page, 'sigma', 2);
  await setParameter(page, 'amount', 1.5);
  await page.getByTestId('zoom-100').click();
  await waitForExact(page);
  const screen = await canvasPixels(page);
  await referenceResult(photo, `${folder}/law.png`, '--filter', 'unsharp:sigma=2,amount=1.5');
  const law = await readPixels(`${folder}/law.png`);
  // The picture is centred, to the nearest pixel.
  const left = Math.floor((screen.width - law.width) / 2);
  const top = Math.floor((screen.height - law.height) / 2);
  const differences = [0, 1].flatMap((dx) =>
    [0, 1].map((dy) => {
      const shown = new Uint8Array(law.data.length);
      for (let y = 0; y < law.height; y++) {
        for (let x = 0; x < law.width; x++) {
          const at = ((top + dy + y) * screen.width + left + dx + x) * 4;
          shown.set(screen.data.subarray(at, at + 3), (y * law.width + x) * 3);
        }
      }
      return difference(law, { ...law, data: shown });
    }),
  );
  const best = differences.toSorted((a, b) => b.equalShare - a.equalShare)[0];
  expect(best?.largest).toBeLessThanOrEqual(1);
  expect(best?.equalShare).toBeGreaterThanOrEqual(0.999);
});

test('Split shows the original on the left and the result on the right', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Sobel');
  await show(page, 'original');
  await expect(page.getByTestId('result-tag')).toHaveCount(0);
  await show(page, 'result');
  await waitForExact(page);
  const result = await canvasPixels(page);
  await show(page, 'split');
  await waitForExact(page);
  const split = await canvasPixels(page);
  await show(page, 'original');
  const handle = page.getByTestId('split-handle');
  await expect(handle).toHaveCount(0);
  // The original needs no tag: it is there when the left half of the split is.
  const middle = Math.round(split.width / 2);
  await expect
    .poll(async () => {
      const original = await canvasPixels(page);
      return difference(columns(original, 0, middle), columns(split, 0, middle)).largest;
    })
    .toBe(0);
  // Where a tile is cut by the split, the browser's own scaling may differ in single columns.
  const right = difference(columns(result, middle, result.width), columns(split, middle, split.width));
  expect(right.equalShare).toBeGreaterThan(0.99);
  expect(right.largest).toBeLessThan(20);
  expect(difference(columns(result, 0, middle), columns(split, 0, middle)).largest).toBeGreaterThan(50);
});

test('the split moves by keyboard', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Sobel');
  const handle = page.getByRole('slider', { name: 'Split between original and result' });
  await expect(handle).toHaveAttribute('aria-valuenow', '50');
  await handle.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(handle).toHaveAttribute('aria-valuenow', '61');
});

test('a filter that is switched off leaves the picture as it was', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await show(page, 'result');
  await waitForExact(page);
  const original = await canvasPixels(page);
  await addFilter(page, 'Emboss');
  await waitForExact(page);
  expect(difference(original, await canvasPixels(page)).largest).toBeGreaterThan(50);
  await page
    .getByRole('switch', { name: 'Emboss on' })
    .or(page.getByRole('checkbox', { name: 'Emboss on' }))
    .press('Space');
  await waitForExact(page);
  expect(difference(original, await canvasPixels(page)).largest).toBe(0);
});

test('finds filters by typing, in the list and in the palette', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await page.getByTestId('filter-search').fill('prew');
  await expect(page.getByRole('button', { name: 'Add Prewitt', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Gaussian blur', exact: true })).toHaveCount(0);
  await page.getByTestId('filter-search').press('Escape');
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog', { name: 'Filters and commands' }).waitFor();
  await page.keyboard.type('scharr');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Scharr' })).toBeVisible();
});

test('says the pixel under the pointer, before and after', async ({ startEditor, folder }) => {
  const photo = await plainPicture(folder, 'red.png', { r: 220, g: 30, b: 40 });
  const { page } = await startEditor({ photo });
  await page.getByTestId('viewport').hover();
  await expect(page.getByTestId('status-pointer')).toContainText('R 220 G 30 B 40');
  await addFilter(page, 'Laplacian');
  await page.getByTestId('viewport').hover({ position: { x: 300, y: 300 } });
  await expect(page.getByTestId('status-pointer')).toContainText('R 220 G 30 B 40 → R ');
});

test('zooms by wheel about the pointer, and back to Fit by keyboard', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await waitForExact(page);
  const percent = async () => Number((await page.getByTestId('zoom-percent').inputValue()).replace(',', ''));
  const fit = await percent();
  await page.getByTestId('viewport').hover();
  await page.mouse.wheel(0, -600);
  await expect.poll(percent).toBeGreaterThan(fit);
  await page.keyboard.press('Control+0');
  await expect.poll(percent).toBe(fit);
});

test('names the engine and explains its plan', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Gaussian blur');
  await waitForExact(page);
  await page.getByRole('button', { name: /^Engine:/ }).click();
  await expect(page.getByRole('dialog', { name: 'How this picture is computed' })).toContainText('separable');
});

test('diffusion that edges stop has no kernel, and an unsharp mask a threshold that leaves small differences', async ({
  startEditor,
}) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await show(page, 'result');
  await addFilter(page, 'Diffusion');
  await waitForExact(page);
  const heat = await canvasPixels(page);
  await expect(page.getByRole('slider', { name: 'Contrast κ' })).toHaveCount(0);
  await page.getByTestId('parameter-stopping').click();
  await page.getByRole('option', { name: 'Strong ones kept' }).click();
  await expect(page.getByRole('slider', { name: 'Contrast κ' })).toBeVisible();
  await expect(page.getByTestId('no-kernel')).toContainText('no single kernel');
  await waitForExact(page);
  expect(difference(heat, await canvasPixels(page)).largest).toBeGreaterThan(10);

  await addFilter(page, 'Unsharp mask');
  await waitForExact(page);
  const sharpened = await canvasPixels(page);
  await expect(page.getByTestId('kernel-edit-as')).toBeVisible();
  await setParameter(page, 'threshold', 3);
  await expect(page.getByTestId('kernel-edit-as')).toHaveCount(0);
  await waitForExact(page);
  expect(difference(sharpened, await canvasPixels(page)).largest).toBeGreaterThan(2);
});
