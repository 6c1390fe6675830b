// What a person may rely on while they look at a long edit: the file does not depend on the view, what is stopped has changed
// nothing, and many edits take no memory.

import path from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { addFilter, exportPicture, setParameter, waitForExact } from '../../scripts/editorActions';
import { expect, samplePhoto, test } from './editorTest';
import { difference, readPixels, smallPhoto } from './pictures';

const countsOf = (page: Page) =>
  page.evaluate(async () => {
    const { bridge } = window as unknown as { bridge: { call(channel: string): Promise<{ value: unknown }> } };
    return (await bridge.call('render:counts')).value as Record<string, number>;
  });

test('the file is the same at any zoom and any scale of the window', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const files: string[] = [];
  for (const scale of [1, 2]) {
    // Playwright's own switch comes first; Chromium takes the last.
    const editor = await startEditor({ photo, switches: [`--force-device-scale-factor=${scale}`] });
    const { page } = editor;
    expect(await page.evaluate(() => window.devicePixelRatio)).toBe(scale);
    await addFilter(page, 'Unsharp mask');
    for (const percent of ['25', '100', '400']) {
      const zoom = page.getByTestId('zoom-percent');
      await zoom.fill(percent);
      await zoom.press('Enter');
      await waitForExact(page);
      const file = path.join(folder, `${scale}-${percent}.png`);
      await exportPicture(editor, file, 'png');
      files.push(file);
    }
  }
  const [first, ...others] = await Promise.all(files.map(readPixels));
  for (const other of others) expect(difference(first!, other)).toEqual({ largest: 0, equalShare: 1 });
});

test('Esc stops what is computed for the view: nothing runs on, and document and history are as they were', async ({
  startEditor,
  folder,
}) => {
  const photo = path.join(folder, 'large.png');
  await sharp(samplePhoto).resize(6000, 4000, { fit: 'fill' }).png({ compressionLevel: 1 }).toFile(photo);
  const { page } = await startEditor({ photo });
  await page.getByTestId('compare-result').click();
  await addFilter(page, 'Diffusion');
  await waitForExact(page);
  const before = await countsOf(page);
  // Far more than a person would wait for.
  await setParameter(page, 'iterations', 200);
  await expect(page.getByTestId('result-tag')).toHaveAttribute('data-busy', 'true');
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('result-tag')).toHaveAttribute('data-busy', 'false');
  await expect
    .poll(async () => {
      const { started = 0, finished = 0, cancelled = 0, failed = 0 } = await countsOf(page);
      return started - finished - cancelled - failed;
    })
    .toBe(0);
  expect((await countsOf(page)).cancelled).toBeGreaterThan(before.cancelled ?? 0);
  await expect(page.getByTestId('stack-item')).toContainText('200 steps');
  await page.keyboard.press('Control+Z');
  await waitForExact(page);
  await expect(page.getByTestId('stack-item')).not.toContainText('200 steps');
});

test('a hundred edits of a photo of 24 megapixels take less memory than one picture', async ({
  startEditor,
  folder,
}) => {
  test.setTimeout(300_000);
  const photo = path.join(folder, 'large.jpg');
  await sharp(samplePhoto).resize(6000, 4000, { fit: 'fill' }).jpeg().toFile(photo);
  const editor = await startEditor({ photo });
  const { page, application } = editor;
  await page.getByTestId('compare-result').click();
  for (const filter of ['Sharpen', 'Gaussian blur']) await addFilter(page, filter);
  let edits = 0;
  const edit = async (count: number) => {
    for (const last = edits + count; edits < last; edits += 1) {
      await setParameter(page, 'sigma', 2 + edits / 50);
      await waitForExact(page);
    }
  };
  const held = async () => {
    await page.requestGC();
    const kilobytes = await application.evaluate(({ app }) =>
      app.getAppMetrics().reduce((sum, { memory }) => sum + memory.workingSetSize, 0),
    );
    return kilobytes / 1024;
  };
  // What the page's process holds comes and goes by about 60 MiB within some thirty edits, however often garbage is collected:
  // what stays is the lowest of so many.
  const staying = async () => {
    let lowest = Number.POSITIVE_INFINITY;
    for (let step = 0; step < 35; step += 1) {
      await edit(1);
      lowest = Math.min(lowest, await held());
    }
    return lowest;
  };
  // The first ones fill caches and pools, which have a budget.
  await edit(15);
  const before = await staying();
  await edit(65);
  expect((await staying()) - before).toBeLessThan((6000 * 4000 * 3) / 2 ** 20);
});
