// Where one looks and what is read there: the navigator, the zoom's range about the pointer, values in other depths, and
// signed results in colours.

import type { Page } from 'playwright';
import { addFilter, runCommand, waitForExact } from '../../scripts/editorActions';
import { accessibilityViolations } from './accessibility';
import { expect, samplePhoto, test } from './editorTest';
import { canvasPixels, plainPicture, smallPhoto } from './pictures';

const press = async (page: Page, key: string) => {
  await page.getByTestId('viewport').focus();
  await page.keyboard.press(key);
};
const boxOf = async (page: Page, testId: string) => {
  const box = await page.getByTestId(testId).boundingBox();
  if (box === null) throw new Error(`${testId} is not shown`);
  return box;
};

test('the navigator shows the part in view, and moves it by mouse and keys', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await waitForExact(page);
  await press(page, 'Alt+M');
  const picture = page.getByTestId('navigator-picture');
  await expect(picture).toBeVisible();
  await press(page, 'Control+2');
  const room = await boxOf(page, 'navigator-picture');
  await page.mouse.click(room.x + room.width * 0.25, room.y + room.height * 0.75);
  const frameMiddle = async () => {
    const frame = await boxOf(page, 'navigator-frame');
    return [(frame.x + frame.width / 2 - room.x) / room.width, (frame.y + frame.height / 2 - room.y) / room.height];
  };
  await expect.poll(async () => (await frameMiddle())[0]).toBeCloseTo(0.25, 1);
  await expect.poll(async () => (await frameMiddle())[1]).toBeCloseTo(0.75, 1);
  await picture.focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await frameMiddle())[0]).toBeGreaterThan(0.27);
  // Turned, it lies as the picture does, and a click still goes where it points.
  await press(page, 'Control+R');
  await expect.poll(async () => (await boxOf(page, 'navigator-picture')).height).toBeGreaterThan(room.height);
  const turned = await boxOf(page, 'navigator-picture');
  await page.mouse.click(turned.x + turned.width / 2, turned.y + turned.height * 0.25);
  await expect
    .poll(async () => {
      const frame = await boxOf(page, 'navigator-frame');
      return (frame.y + frame.height / 2 - turned.y) / turned.height;
    })
    .toBeCloseTo(0.25, 1);
  for (const theme of ['Light', 'Dark']) {
    await runCommand(page, theme);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase());
    expect(await accessibilityViolations(page, '[data-testid="navigator"]')).toEqual([]);
  }
});

test('zoom reaches from 3 % to 6400 % about the pointer', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  // From a picture that fills the view: one that fits is centred, wherever the pointer is.
  await press(page, 'Control+1');
  await waitForExact(page);
  const room = await boxOf(page, 'viewport');
  await page.mouse.move(room.x + room.width / 2 + 60, room.y + room.height / 2 - 40);
  const position = () => page.locator('.status-position').textContent();
  const before = await position();
  const zoom = page.getByTestId('zoom-percent');
  for (let notch = 0; notch < 30; notch += 1) await page.mouse.wheel(0, -120);
  await expect(zoom).toHaveValue('6400');
  await expect.poll(position).toBe(before);
  for (let notch = 0; notch < 60; notch += 1) await page.mouse.wheel(0, 120);
  await expect(zoom).toHaveValue('3');
});

test('lines stand between the pixels from 800 % on', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: await plainPicture(folder, 'grey.png', { r: 100, g: 100, b: 100 }) });
  await page.getByTestId('compare-result').click();
  const zoom = page.getByTestId('zoom-percent');
  const greysAt = async (percent: string) => {
    await zoom.fill(percent);
    await zoom.press('Enter');
    await waitForExact(page);
    const { data, width, height } = await canvasPixels(page);
    const middle = Array.from({ length: 40 }, (_, at) => ((height >> 1) * width + (width >> 1) - 20 + at) * 4);
    return new Set(middle.map((at) => data[at])).size;
  };
  expect(await greysAt('700')).toBe(1);
  expect(await greysAt('900')).toBeGreaterThan(1);
});

test('values under the pointer are read in the format that was chosen, also after a new start', async ({
  startEditor,
  folder,
}) => {
  const photo = await plainPicture(folder, 'grey.png', { r: 51, g: 102, b: 255 });
  const first = await startEditor({ photo, userFolder: folder });
  await waitForExact(first.page);
  const read = async (page: Page) => {
    const room = await boxOf(page, 'viewport');
    // Beside the split handle, and moving: a pointer that rests is under nothing new.
    await page.mouse.move(room.x + room.width * 0.6, room.y + room.height / 2);
    await page.mouse.move(room.x + room.width * 0.6 + 20, room.y + room.height / 2);
    return page.locator('.status-values').textContent();
  };
  await expect.poll(() => read(first.page)).toBe('R 51 G 102 B 255');
  await runCommand(first.page, 'Values under the pointer: Percent');
  await expect.poll(() => read(first.page)).toBe('R 20 % G 40 % B 100 %');
  await first.close();
  const second = await startEditor({ photo, userFolder: folder });
  await waitForExact(second.page);
  await expect.poll(() => read(second.page)).toBe('R 20 % G 40 % B 100 %');
  await addFilter(second.page, 'Emboss');
  await runCommand(second.page, 'Values under the pointer: Share of full scale (0–1)');
  await expect.poll(() => read(second.page)).toMatch(/^R 0.2 G 0.4 B 1 → R 0.502 G 0.502 B 0.502$/);
});

test('a signed result is blue below zero and orange above, with a legend', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: await smallPhoto(folder) });
  await page.getByTestId('compare-result').click();
  await addFilter(page, 'Laplacian');
  await press(page, 'Alt+N');
  await expect(page.getByTestId('signed-legend')).toHaveCount(0);
  await page.getByTestId('setting-range').click();
  await page.getByRole('option', { name: 'Keep as it is' }).click();
  await press(page, 'Alt+N');
  await waitForExact(page);
  await expect(page.getByTestId('signed-legend')).toBeVisible();
  const { data } = await canvasPixels(page);
  let [blue, orange] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, , third = 0] = data.subarray(at, at + 3);
    if (red > third + 20) orange += 1;
    if (third > red + 20) blue += 1;
  }
  expect(blue).toBeGreaterThan(1000);
  expect(orange).toBeGreaterThan(1000);
  expect(await accessibilityViolations(page, '[data-testid="signed-legend"]')).toEqual([]);
});
