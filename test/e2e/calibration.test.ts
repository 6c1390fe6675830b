// The first start measures costs unasked, once the picture is shown; the next start plans by them.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { addFilter, waitForExact } from '../../scripts/editorActions';
import { expect, test } from './editorTest';
import { smallPhoto } from './pictures';

const costSource = (page: Page) =>
  page.evaluate(async () => {
    const state = await (window as unknown as { bridge: { call(channel: string): Promise<unknown> } }).bridge.call(
      'app:state',
    );
    return (state as { value: { costs: { cpu: { source: string } } } }).value.costs.cpu.source;
  });

test('costs are measured after the first picture and hold from the next start on', async ({ startEditor, folder }) => {
  const before = process.env.CONVOLVE_COSTS;
  process.env.CONVOLVE_COSTS = 'measured';
  try {
    const photo = await smallPhoto(folder);
    const userFolder = path.join(folder, 'user');
    const first = await startEditor({ photo, userFolder });
    await waitForExact(first.page);
    expect(await costSource(first.page)).toBe('shipped');
    const file = path.join(userFolder, 'costs.json');
    await expect.poll(() => existsSync(file), { timeout: 45_000 }).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain('"quick"');
    // The tables of a running program stay as they are.
    expect(await costSource(first.page)).toBe('shipped');
    await first.close();

    const second = await startEditor({ photo, userFolder });
    expect(await costSource(second.page)).toBe('quick');
    await addFilter(second.page, 'Gaussian blur');
    await waitForExact(second.page);
  } finally {
    if (before === undefined) delete process.env.CONVOLVE_COSTS;
    else process.env.CONVOLVE_COSTS = before;
  }
});
