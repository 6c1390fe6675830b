// A view that is turned by quarters: the same pixels elsewhere, and what lies under the pointer stays what it is.

import path from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { addFilter, waitForExact } from '../../scripts/editorActions';
import { expect, test } from './editorTest';
import { canvasPixels, difference, type Pixels, readPixels, smallPhoto } from './pictures';

/** The rectangle of this size in the middle of the canvas. */
async function middleOf(page: Page, width: number, height: number): Promise<Pixels> {
  const { data, ...size } = await canvasPixels(page);
  const left = Math.round(size.width / 2 - width / 2);
  const top = Math.round(size.height / 2 - height / 2);
  const raw = { width: size.width, height: size.height, channels: 4 } as const;
  const cut = await sharp(data, { raw }).extract({ left, top, width, height }).removeAlpha().raw().toBuffer();
  return { width, height, channels: 3, data: cut };
}

const rightAngle = async (file: string, turned: string, angle: number) => {
  await sharp(file).rotate(angle).png().toFile(turned);
  return readPixels(turned);
};

test('the view turns by quarters, and the pointer still finds its pixel', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder, 300, 200);
  const { page } = await startEditor({ photo });
  await page.getByTestId('compare-result').click();
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+1');
  await page.keyboard.press('Control+R');
  await waitForExact(page);
  const right = await rightAngle(photo, path.join(folder, 'right.png'), 90);
  expect(difference(await middleOf(page, 200, 300), right).largest).toBe(0);

  // The picture's left top corner is at the right top now.
  const room = await page.getByTestId('viewport').boundingBox();
  if (room === null) throw new Error('there is no canvas');
  const [middleX, middleY] = [room.x + room.width / 2, room.y + room.height / 2];
  await page.mouse.move(middleX + 100 - 4, middleY - 150 + 4);
  await expect(page.getByTestId('status-pointer')).toContainText(/x [345] {2}y [345]/);
  await page.keyboard.press('Control+L');
  await page.keyboard.press('Control+L');
  await waitForExact(page);
  const left = await rightAngle(photo, path.join(folder, 'left.png'), 270);
  expect(difference(await middleOf(page, 200, 300), left).largest).toBe(0);

  // It is no step of the history, and no work to save.
  await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled();
  await expect(page.getByTestId('status-saved')).toHaveText('No changes');
});

test('a turned blur is exact, and the split divides the screen as before', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder, 300, 200);
  const { page } = await startEditor({ photo });
  await page.getByTestId('compare-result').click();
  await addFilter(page, 'Gaussian blur');
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+1');
  await waitForExact(page);
  const upright = await middleOf(page, 300, 200);
  await page.keyboard.press('Control+R');
  await page.keyboard.press('Control+R');
  await waitForExact(page);
  const raw = { width: 300, height: 200, channels: 3 } as const;
  const turned = await sharp(upright.data, { raw }).rotate(180).raw().toBuffer();
  expect(difference(await middleOf(page, 300, 200), { ...raw, data: turned }).largest).toBe(0);

  await page.getByTestId('compare-split').click();
  await waitForExact(page);
  const original = await rightAngle(photo, path.join(folder, 'half.png'), 180);
  const half = async ({ width, height, data }: Pixels, left: number): Promise<Pixels> => {
    const whole = { width, height, channels: 3 } as const;
    const cut = { left, top: 0, width: 140, height };
    return { ...whole, width: 140, data: await sharp(data, { raw: whole }).extract(cut).raw().toBuffer() };
  };
  const split = await middleOf(page, 300, 200);
  expect(difference(await half(split, 0), await half(original, 0)).largest).toBe(0);
  const result: Pixels = { ...raw, data: turned };
  expect(difference(await half(split, 160), await half(result, 160)).largest).toBe(0);
});
