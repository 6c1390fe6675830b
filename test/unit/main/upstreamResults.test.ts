// What is kept of the filters before the changed one: when, how much, for how long; and the budget of all such caches.

import { describe, expect, it } from 'vitest';
import type { Filter, Stack } from '../../../core/document';
import { planStack } from '../../../core/plan';
import { CacheBudget, standardCacheMegabytes } from '../../../main/cacheBudget';
import { OpenPictures } from '../../../main/images';
import { Renderer } from '../../../main/render';
import { commonPasses, keptBytes } from '../../../main/upstreamResults';
import { FakeEngine } from './fakeEngine';
import { gaussian, madePicture } from './pictures';

const width = 64;
const height = 48;
const oneResult = keptBytes({ width, height }, 3, 'u8');
const { kind: _kind, ...settings } = gaussian(1, 'sharpen');
const sharpenBy = (amount: number): Filter => ({ ...settings, kind: 'sharpen', neighbours: 4, amount }) as Filter;
const sharpen = sharpenBy(1);
const stackWith = (last: number, first = 2): Stack => [gaussian(first), sharpen, gaussian(last, 'last')];

async function setUp(limit = 100 * oneResult) {
  const engine = new FakeEngine();
  const pictures = new OpenPictures(engine, new CacheBudget(() => limit));
  const origin = { name: 'made.png', format: 'png', fileBytes: 0, folder: null };
  const info = await pictures.add(madePicture(width, height, 3), origin);
  const renderer = new Renderer(engine, () => 'auto');
  /** How many passes the view of a stack had ready before it ran. */
  const show = (stack: Stack) =>
    pictures.use(info.id, async (picture) => {
      const prepared = await renderer.prepareView(picture, stack);
      const request = { region: { x: 0, y: 0, width: 8, height: 8 }, level: 0 };
      await renderer.run(prepared, request, new Uint8Array(8 * 8 * 3));
      return engine.runs.at(-1)?.kept;
    });
  return { engine, pictures, info, renderer, show };
}

describe('what is kept of a view', () => {
  it('is nothing of the first stack, and everything before the filter that changes', async () => {
    const { show, engine } = await setUp();
    expect(await show(stackWith(3))).toBe(0);
    expect(await show(stackWith(4))).toBe(2);
    expect(await show(stackWith(5))).toBe(2);
    expect(engine.runs.at(-1)?.passes.length).toBe(3);
    expect(engine.kept).toBe(1);
  });

  it('serves a view that moves, and a stack that grows', async () => {
    const { show } = await setUp();
    await show(stackWith(3));
    await show(stackWith(4));
    expect(await show(stackWith(4))).toBe(2);
    // The whole stack before is now what comes before the new filter.
    expect(await show([...stackWith(4), sharpen])).toBe(3);
  });

  it('does not mind the original beside it', async () => {
    const { show } = await setUp();
    await show(stackWith(3));
    await show([]);
    expect(await show(stackWith(4))).toBe(2);
  });

  it('is nothing where the first filter changes', async () => {
    const { show, engine } = await setUp();
    await show(stackWith(3, 1));
    expect(await show(stackWith(3, 2))).toBe(0);
    expect(engine.kept).toBe(0);
  });

  it('is never used by what does not look, such as an export', async () => {
    const { show, engine, pictures, info, renderer } = await setUp();
    await show(stackWith(3));
    await show(stackWith(4));
    await pictures.use(info.id, async (picture) => {
      const prepared = await renderer.prepare(picture, stackWith(4));
      await renderer.run(prepared, { region: { x: 0, y: 0, width: 8, height: 8 }, level: 0 }, new Uint8Array(192));
    });
    expect(engine.runs.at(-1)?.kept).toBe(0);
  });

  it('is the CPU’s alone', async () => {
    const { show, engine } = await setUp();
    engine.cudaAvailable = true;
    await show(stackWith(3));
    expect(await show(stackWith(4))).toBe(0);
    expect(engine.kept).toBe(0);
  });

  it('goes when the budget is full, the least recently used first', async () => {
    const { show, engine } = await setUp(1.5 * oneResult);
    await show(stackWith(3));
    expect(await show(stackWith(4))).toBe(2);
    // Another filter is dragged: what it needs takes the place of what the other one needed.
    const [blur, , last] = stackWith(4);
    const dragged = (amount: number): Stack => [blur!, sharpenBy(amount), last!];
    expect(await show(dragged(2))).toBe(1);
    expect(engine.kept).toBe(1);
    expect(await show(dragged(3))).toBe(1);
  });

  it('is nothing where one result alone is too large', async () => {
    const { show, engine } = await setUp(oneResult - 1);
    await show(stackWith(3));
    expect(await show(stackWith(4))).toBe(0);
    expect(engine.kept).toBe(0);
  });

  it('goes with its picture, and is counted as long', async () => {
    const { show, engine, pictures, info } = await setUp();
    await show(stackWith(3));
    const before = await pictures.bytes();
    await show(stackWith(4));
    expect((await pictures.bytes()) - before).toBe(oneResult);
    await pictures.close(info.id);
    expect(engine.kept).toBe(0);
  });

  it('stays within the budget over a hundred changes here and there', async () => {
    const { show, engine, pictures } = await setUp(3 * oneResult);
    await show(stackWith(3));
    const before = await pictures.bytes();
    for (let change = 0; change < 100; change += 1) {
      const [blur, , last] = stackWith(3 + change / 50);
      await show([blur!, sharpenBy(1 + Math.floor(change / 10) / 20), last!]);
      expect((await pictures.bytes()) - before).toBeLessThanOrEqual(3 * oneResult);
    }
    expect(engine.kept).toBeLessThanOrEqual(3);
  });
});

describe('passes', () => {
  const { passes } = planStack(stackWith(3), { width, height, channels: 3, sampleType: 'u8' });
  const again = () => planStack(stackWith(3), { width, height, channels: 3, sampleType: 'u8' }).passes;

  it('are alike as data, each number of a kernel counting', () => {
    expect(commonPasses(passes, again())).toBe(3);
    expect(commonPasses(passes, again().slice(0, 2))).toBe(2);
    expect(commonPasses(passes, [passes[0]!, { ...passes[1]!, repeat: 2 }, passes[2]!])).toBe(1);
    const { passes: other } = planStack(stackWith(3.001), { width, height, channels: 3, sampleType: 'u8' });
    expect(commonPasses(passes, other)).toBe(2);
  });

  it('with images of the engine are alike only with the same image', () => {
    class Image {}
    const [image, another] = [new Image(), new Image()];
    const withImage = (of: Image) => [{ ...passes[0]!, of }];
    expect(commonPasses(withImage(image), withImage(image))).toBe(1);
    expect(commonPasses(withImage(image), withImage(another))).toBe(0);
  });
});

describe('the budget', () => {
  it('is an eighth of the memory, in steps of 64 MiB, and at least 256 MiB', () => {
    expect(standardCacheMegabytes(16 * 2 ** 30)).toBe(2048);
    expect(standardCacheMegabytes(24.1 * 2 ** 30)).toBe(3072);
    expect(standardCacheMegabytes(2 ** 30)).toBe(256);
  });

  it('follows a limit that is lowered with the next that comes in', () => {
    let limit = 100;
    const dropped: string[] = [];
    const budget = new CacheBudget(() => limit);
    const cached = (name: string, bytes: number) => ({ bytes, drop: () => dropped.push(name) });
    const first = cached('first', 40);
    budget.add(first);
    budget.add(cached('second', 40));
    budget.touch(first);
    budget.add(cached('third', 20));
    expect(dropped).toEqual([]);
    limit = 70;
    budget.add(cached('fourth', 10));
    expect(dropped).toEqual(['second']);
    expect(budget.bytes).toBe(70);
  });
});
