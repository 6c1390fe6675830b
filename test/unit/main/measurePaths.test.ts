// Times of one path on the opened picture: which plan runs, over how much of it, and that it stops.

import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import { catalogueEntry } from '../../../core/filters';
import { DerivedImages } from '../../../main/derivedImages';
import { measurePath, resultExtremes } from '../../../main/measurePaths';
import { Renderer } from '../../../main/render';
import { FakeEngine } from './fakeEngine';

const lens = { ...catalogueEntry('lens').create('lens', 'u8'), kind: 'lens', radius: 5, rank: 1 } as const;

async function setUp() {
  const engine = new FakeEngine();
  const image = await engine.createImage(new Uint8Array(2000 * 1000), { width: 2000, height: 1000 }, 1, false);
  const renderer = new Renderer(engine, () => 'cpu');
  const source = { image, light: { kind: 'srgb' } as const, atLevel: async () => image, derived: new DerivedImages() };
  return { engine, renderer, source };
}

describe('measuring a path', () => {
  it('runs the path that is asked for, whatever rank the filter is held to, over the whole picture where time allows', async () => {
    const { engine, renderer, source } = await setUp();
    let clock = 0;
    const measured = await measurePath(
      renderer,
      source,
      lens,
      { kind: 'rank', rank: 2 },
      new AbortController().signal,
      () => {
        clock += 5;
        return clock;
      },
    );
    expect(measured).toEqual({ backend: 'cpu', milliseconds: 5, share: 1 });
    const works = engine.runs.map(({ passes }) => passes[0]?.work);
    expect(works.every((work) => work?.kind === 'separable' && work.weights.pairs.length === 2)).toBe(true);
  });
  it('takes part of a picture that would take too long, and says which part', async () => {
    const { renderer, source } = await setUp();
    let clock = 0;
    const measured = await measurePath(renderer, source, lens, { kind: 'dense' }, new AbortController().signal, () => {
      clock += 350;
      return clock;
    });
    expect(measured.share).toBeLessThan(0.1);
    expect(measured.milliseconds).toBeCloseTo(350 / measured.share, 6);
  });
  it('stops when it is told to', async () => {
    const { renderer, source } = await setUp();
    const controller = new AbortController();
    const running = measurePath(renderer, source, lens, { kind: 'dense' }, controller.signal);
    controller.abort();
    expect(failureOf(await running.catch((thrown: unknown) => thrown)).code).toBe('cancelled');
  });
});

describe('the extremes of a result', () => {
  it('are those of the last filter before its range', async () => {
    const { engine, renderer, source } = await setUp();
    const extremes = await resultExtremes(renderer, source, [lens], new AbortController().signal);
    expect(engine.measures).toBe(1);
    expect(extremes.minimum).toBeLessThanOrEqual(extremes.maximum);
  });
});
