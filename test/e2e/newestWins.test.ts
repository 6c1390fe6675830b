// What the pixel port carries while a slider is dragged, in order: nothing old after something new, and after the last
// change at most the rest of one older render before its own.

import type { Page } from 'playwright';
import { addFilter, waitForExact } from '../../scripts/editorActions';
import { expect, samplePhoto, test } from './editorTest';
import { holdArrows } from './heldKey';

interface Seen {
  readonly kind: string;
  readonly sequence: number;
}

/** Writes down what is asked and what comes of the result, from now on. */
const watchPort = (page: Page) =>
  page.evaluate(() => {
    const seen: Seen[] = [];
    const listened = new WeakSet<MessagePort>();
    const note = ({ kind, layer, sequence }: { kind?: string; layer?: string; sequence?: number }) => {
      if (layer === 'result' && kind !== undefined && sequence !== undefined) seen.push({ kind, sequence });
    };
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown, ...rest: never[]) {
      const sent = (message ?? {}) as { kind?: string; layer?: string; sequence?: number };
      if (sent.kind === 'render' && !listened.has(this)) {
        listened.add(this);
        this.addEventListener('message', ({ data }) => note(data));
      }
      note(sent);
      return post.call(this, message, ...rest);
    };
    (window as unknown as { seen: Seen[] }).seen = seen;
  });

test('no older result lands after a newer one, and the last value after at most one older render', async ({
  startEditor,
}) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await page.getByTestId('compare-result').click();
  for (const filter of ['Sharpen', 'Box blur', 'Emboss', 'Gaussian blur']) await addFilter(page, filter);
  await waitForExact(page);
  await watchPort(page);
  const slider = page.getByRole('slider', { name: 'Radius σ' });
  await holdArrows(slider);
  await waitForExact(page);
  const seen = await page.evaluate(() => (window as unknown as { seen: Seen[] }).seen);
  const answers = seen.filter(({ kind }) => kind !== 'render').map(({ sequence }) => sequence);
  expect(answers).toEqual(answers.toSorted((a, b) => a - b));

  const asked = seen.findLastIndex(({ kind }) => kind === 'render');
  const last = seen[asked]?.sequence;
  const older = seen.slice(asked).filter(({ kind, sequence }) => kind !== 'render' && sequence !== last);
  expect(new Set(older.map(({ sequence }) => sequence)).size).toBeLessThanOrEqual(1);
  expect(seen.at(-1)).toMatchObject({ kind: 'done', sequence: last });
  // Fewer renders than changes: what is passed over is never computed.
  expect(new Set(answers).size).toBeLessThan(200);
});
