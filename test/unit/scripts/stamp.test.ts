// Set-up is quick because steps know when nothing changed, and right because they know when something did.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type StampedStep, whenChanged } from '../../../scripts/stamp';

let folder: string;
let step: StampedStep;
let runs = 0;
const work = async (): Promise<void> => {
  runs++;
  writeFileSync(path.join(folder, 'output'), 'made');
};
const run = (): Promise<boolean> => whenChanged(step, work, path.join(folder, 'stamps'));

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-stamp-'));
  mkdirSync(path.join(folder, 'sources'));
  writeFileSync(path.join(folder, 'sources', 'a'), 'one');
  // Absolute paths stay what they are when they are looked up from the checkout.
  step = { name: 'step', inputs: [path.join(folder, 'sources')], outputs: [path.join(folder, 'output')] };
  runs = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

it('runs once, and not again while nothing changes', async () => {
  expect(await run()).toBe(true);
  expect(await run()).toBe(false);
  expect(runs).toBe(1);
});

it('runs again when a source is saved, added or removed', async () => {
  await run();
  utimesSync(path.join(folder, 'sources', 'a'), new Date(), new Date(Date.now() + 5000));
  expect(await run()).toBe(true);
  writeFileSync(path.join(folder, 'sources', 'b'), 'two');
  expect(await run()).toBe(true);
  rmSync(path.join(folder, 'sources', 'b'));
  expect(await run()).toBe(true);
  expect(await run()).toBe(false);
});

it('runs again when its result is gone or its words change', async () => {
  await run();
  rmSync(path.join(folder, 'output'));
  expect(await run()).toBe(true);
  step = { ...step, words: ['x64'] };
  expect(await run()).toBe(true);
});

it('does not take a step that failed for done', async () => {
  const failing = (): Promise<void> => Promise.reject(new Error('no'));
  await run();
  utimesSync(path.join(folder, 'sources', 'a'), new Date(), new Date(Date.now() + 5000));
  await expect(whenChanged(step, failing, path.join(folder, 'stamps'))).rejects.toThrow('no');
  expect(await run()).toBe(true);
});

it('sees a source that was saved while it worked', async () => {
  const slow = async (): Promise<void> => {
    await work();
    writeFileSync(path.join(folder, 'sources', 'a'), 'saved meanwhile');
  };
  await whenChanged(step, slow, path.join(folder, 'stamps'));
  expect(await run()).toBe(true);
});
