// Measures what painting a kernel costs the page: a 31 × 31 kernel of full rank painted by mouse for some seconds on the real
// app, with the picture and all numbers following. Script, style and layout come from Chromium's own counters; frames are
// counted where the page draws them. `npm run bench:kernel`, after `npm run setup`.

import type { CDPSession, Page } from 'playwright';
import type { RenderCounts } from '../../core/ipc';
import { runTask, say, TaskError } from '../../scripts/console';
import { type Editor, launchEditor } from '../../scripts/editor';
import { addFilter, resizeWindow, waitForExact } from '../../scripts/editorActions';
import { inRoot } from '../../scripts/paths';
import { hasDisplay, startVirtualScreen } from '../../scripts/virtualScreen';

const size = 31;
const strokeSeconds = 5;
/** Milliseconds between two moves: a mouse of 125 Hz. */
const mouseInterval = 8;
const movesOfStroke = 60;
/** What a frame may cost in script, style and layout: half of one of 60 a second. */
const frameBudget = 8;

const counters = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration', 'TaskDuration'] as const;
type Counters = Readonly<Record<(typeof counters)[number], number>>;

/** Chromium's counters of the page's main thread, in milliseconds since it began. */
async function countersOf(session: CDPSession): Promise<Counters> {
  const { metrics } = await session.send('Performance.getMetrics');
  const at = (name: string) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN);
  return Object.fromEntries(counters.map((name) => [name, at(name)])) as unknown as Counters;
}

/** Weights of full rank without any symmetry. */
function roughKernel(): string {
  let seed = 7;
  const next = () => {
    seed = (seed * 16807) % 2147483647;
    return (seed / 2147483647 - 0.5).toFixed(3);
  };
  return Array.from({ length: size }, () => Array.from({ length: size }, next).join(' ')).join('\n');
}

/** Runs in the page: the times at which frames are drawn, and how many moves of the mouse came, from now on. */
function watchFrames(): void {
  const times: number[] = [];
  const counted = window as unknown as { frameTimes: number[]; moves: number };
  counted.moves = 0;
  window.addEventListener('pointermove', () => counted.moves++, { capture: true });
  const note = (at: number) => {
    times.push(at);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
  counted.frameTimes = times;
}

/** How many pictures main has computed as a whole. */
const picturesOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { bridge } = window as unknown as { bridge: { call(channel: string): Promise<{ value: RenderCounts }> } };
    return (await bridge.call('render:counts')).value.finished;
  });

/** Strokes of half a second each over all of the grid; a soft brush, so that each changes every cell that it comes over. */
async function paint(
  page: Page,
  session: CDPSession,
  box: { x: number; y: number; width: number; height: number },
): Promise<void> {
  const place = (turn: number) =>
    [
      box.x + box.width * (0.5 + 0.45 * Math.sin(1.3 * turn)),
      box.y + box.height * (0.5 + 0.45 * Math.cos(1.7 * turn)),
    ] as const;
  const end = performance.now() + 1000 * strokeSeconds;
  for (let move = 0; performance.now() < end; move++) {
    if (move % movesOfStroke === 0) {
      await page.mouse.up();
      await page.mouse.move(...place(move / 20));
      await page.mouse.down();
    }
    const [x, y] = place(move / 20);
    // Not waited for, as no mouse waits for a page: waited for, a slow frame would have fewer moves to draw.
    const moved = session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'left', buttons: 1 });
    moved.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, mouseInterval));
  }
  await page.mouse.up();
}

async function measure({ page }: Editor): Promise<void> {
  await addFilter(page, 'Custom kernel');
  await page.getByTestId('kernel-paste').click();
  await page.getByRole('textbox', { name: 'Kernel as text' }).fill(roughKernel());
  await page.getByTestId('paste-kernel-use').click();
  await page.getByTestId('grid-tool-paint').click();
  for (const [field, value] of [
    ['size', '7'],
    ['strength', '40'],
    ['falloff', '100'],
  ] as const) {
    await page.getByTestId(`brush-${field}`).fill(value);
    await page.getByTestId(`brush-${field}`).press('Enter');
  }
  await waitForExact(page);
  const box = await page.getByTestId('kernel-grid').boundingBox();
  if (box === null) throw new TaskError('The grid has no place.', 'Report it.');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate('globalThis.__name = (named) => named');
  await page.evaluate(watchFrames);
  const before = await countersOf(session);
  const first = await page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes.length);
  const picturesBefore = await picturesOf(page);
  await paint(page, session, box);
  const pictures = (await picturesOf(page)) - picturesBefore;
  const times = await page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes);
  const moves = await page.evaluate(() => (window as unknown as { moves: number }).moves);
  const after = await countersOf(session);
  const frames = times.slice(first);
  const between = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
  const sorted = between.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  const per = (name: keyof Counters) => (after[name] - before[name]) / frames.length;
  const cost = per('ScriptDuration') + per('RecalcStyleDuration') + per('LayoutDuration');
  say(
    'Frames',
    `${frames.length} in ${strokeSeconds} s; between two p50 ${at(0.5)}, p95 ${at(0.95)}, largest ${at(1)} ms`,
  );
  say('  moves of the mouse a frame', (moves / frames.length).toFixed(2));
  say('  exact pictures', `${pictures}`);
  for (const name of counters) say(`  ${name} a frame`, `${per(name).toFixed(2)} ms`);
  say('  script, style and layout', `${cost.toFixed(2)} ms a frame, of ${frameBudget}`);
  if (cost > frameBudget)
    throw new TaskError('A frame costs more than its budget.', 'Profile the page while it paints.');
}

await runTask(async () => {
  const screen = hasDisplay() ? undefined : await startVirtualScreen();
  try {
    const editor = await launchEditor({
      photo: inRoot('samples', 'kitten.jpg'),
      switches: ['--lang=en-US'],
      ...(screen === undefined ? {} : { display: screen.display }),
    });
    try {
      await resizeWindow(editor, 1440, 900);
      await waitForExact(editor.page);
      await measure(editor);
    } finally {
      await editor.close();
    }
  } finally {
    await screen?.close();
  }
  return undefined;
});
