// Images derived from a picture: made once for all who want the same, stopped when nobody waits, few kept, all freed at the
// end.

import { describe, expect, it } from 'vitest';
import { ConvolveError } from '../../../core/errors';
import { CacheBudget } from '../../../main/cacheBudget';
import { alwaysKept, DerivedImages } from '../../../main/derivedImages';
import type { EngineImage } from '../../../main/engine';
import { FakeEngine } from './fakeEngine';

const engine = new FakeEngine();
const image = (bytes = 4): Promise<EngineImage> =>
  engine.createImage(new Uint8Array(bytes), { width: bytes, height: 1 }, 1, false);

/** A maker whose work ends when told, or when nobody wants it any more. */
function slowMaker() {
  const maker = {
    calls: 0,
    stopped: 0,
    finish: () => {},
    make: (signal: AbortSignal): Promise<EngineImage> => {
      maker.calls += 1;
      return new Promise((resolve, reject) => {
        maker.finish = () => void image().then(resolve);
        signal.addEventListener('abort', () => {
          maker.stopped += 1;
          reject(new ConvolveError({ code: 'cancelled' }));
        });
      });
    },
  };
  return maker;
}

describe('derived images', () => {
  it('are made once, also for two who ask at the same time', async () => {
    const images = new DerivedImages();
    const maker = slowMaker();
    const asked = [images.get('a', maker.make), images.get('a', maker.make)];
    maker.finish();
    const [first, second] = await Promise.all(asked);
    expect(second).toBe(first);
    expect(await images.get('a', maker.make)).toBe(first);
    expect(maker.calls).toBe(1);
    expect(images.bytes()).toBe(4);
  });

  it('go on being made while one still waits, and stop with the last', async () => {
    const images = new DerivedImages();
    const maker = slowMaker();
    const [left, right] = [new AbortController(), new AbortController()];
    const first = images.get('a', maker.make, left.signal);
    const second = images.get('a', maker.make, right.signal);
    left.abort();
    await expect(first).rejects.toThrow('cancelled');
    expect(maker.stopped).toBe(0);
    right.abort();
    await expect(second).rejects.toThrow('cancelled');
    expect(maker.stopped).toBe(1);
    const again = images.get('a', maker.make);
    expect(maker.calls).toBe(2);
    maker.finish();
    expect((await again).bytes).toBe(4);
  });

  it('are not begun for one who has gone already', async () => {
    const images = new DerivedImages();
    const maker = slowMaker();
    await expect(images.get('a', maker.make, AbortSignal.abort())).rejects.toThrow('cancelled');
    expect(maker.calls).toBe(0);
  });

  it('that failed are made anew', async () => {
    const images = new DerivedImages();
    const failing = () => Promise.reject(new ConvolveError({ code: 'outOfMemory' }));
    await expect(images.get('a', failing)).rejects.toThrow('outOfMemory');
    expect(images.bytes()).toBe(0);
    expect((await images.get('a', () => image(7))).bytes).toBe(7);
  });

  it('are kept beyond the newest few while they take little memory', async () => {
    const budget = new CacheBudget(() => 24);
    const [images, others] = [new DerivedImages(budget), new DerivedImages(budget)];
    for (let index = 0; index < 8; index += 1) await images.get(`${index}`, () => image());
    expect([images.bytes(), budget.bytes]).toEqual([32, 20]);
    await images.get('large', () => image(100));
    expect([images.bytes(), budget.bytes]).toEqual([132, 24]);
    // Those of another picture take the place of the oldest, and what is freed gives its place back.
    for (let index = 0; index < 5; index += 1) await others.get(`${index}`, () => image());
    expect([images.has('1'), images.has('2'), budget.bytes]).toEqual([false, true, 24]);
    images.release();
    expect(budget.bytes).toBe(8);
  });

  it('are kept while they are among the newest', async () => {
    const images = new DerivedImages(new CacheBudget(() => 0));
    for (let index = 0; index < alwaysKept; index += 1) await images.get(`${index}`, () => image());
    const kept = await images.get('0', () => image(9));
    expect(kept.bytes).toBe(4);
    await images.get('newest', () => image());
    expect(images.bytes()).toBe(4 * alwaysKept);
    expect(await images.get('0', () => image(9))).toBe(kept);
    expect((await images.get('1', () => image(9))).bytes).toBe(9);
  });

  it('are freed all at once, and what is being made as soon as it is there', async () => {
    const before = engine.released;
    const images = new DerivedImages();
    await images.get('a', () => image());
    let finish = () => {};
    const late = images.get(
      'b',
      () =>
        new Promise((resolve) => {
          finish = () => void image().then(resolve);
        }),
    );
    images.release();
    expect(engine.released).toBe(before + 1);
    finish();
    await late;
    expect(engine.released).toBe(before + 2);
    expect(images.bytes()).toBe(0);
  });
});
