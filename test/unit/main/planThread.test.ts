// Plans on a thread of their own: the same as here, while here goes on; cancelled ones are left out, and none holds up the next.

import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/document';
import { catalogueEntry } from '../../../core/filters';
import { createKernel } from '../../../core/kernel';
import { shippedCosts } from '../../../core/shippedCosts';
import { isQuickToPlan, type PlanJob, planNow } from '../../../main/planning';
import { PlanThread } from '../../../main/planThread';
import { randomSource } from '../core/randomNumbers';

const file = path.resolve(import.meta.dirname, '..', '..', '..', 'main', 'planWorker.ts');
// A thread has no TypeScript loader of its own, so it starts with two lines that bring one.
const source = `require('tsx/cjs/api').register(); require(${JSON.stringify(file)});`;
const thread = new PlanThread(source, { eval: true });
afterAll(() => thread.close());

function rough(side: number, settings: Partial<Filter> = {}): Filter {
  const random = randomSource(side);
  const weights = Array.from({ length: side * side }, () => random.whole(-1000, 1000) / 1000);
  const custom = catalogueEntry('custom').create('f1', 'u8');
  return {
    ...custom,
    ...settings,
    kind: 'custom',
    name: '',
    kernel: createKernel(side, side, weights, { divisor: 1 }),
  };
}

const picture = { width: 400, height: 300, channels: 3, sampleType: 'u8' } as const;
const jobOf = (filter: Filter): PlanJob => ({
  stack: [filter],
  picture,
  options: {},
  costs: shippedCosts.cpu,
  draft: { level: 1, picture: { ...picture, width: 200, height: 150 } },
});

describe('the thread of plans', () => {
  it('gives the plan and the draft that are made here', async () => {
    const job = jobOf(rough(65, { rank: 3 }));
    expect(isQuickToPlan(job.stack)).toBe(false);
    expect(await thread.plan(job)).toEqual(planNow(job));
  });

  it('takes what is known by its rows and columns once it is held to a rank and large', () => {
    const filters = (['gaussian', 'unsharp', 'localContrast', 'highPass', 'differenceOfGaussians'] as const).map(
      (kind) => ({ ...catalogueEntry(kind).create('f1', 'u8'), sigma: 30 }) as Filter,
    );
    for (const filter of filters) {
      expect(isQuickToPlan([filter]), filter.kind).toBe(true);
      expect(isQuickToPlan([{ ...filter, rank: 1 }]), filter.kind).toBe(false);
    }
    const inner = (sigma: number, ratio: number) => {
      const filter = catalogueEntry('differenceOfGaussians').create('f1', 'u8');
      return { ...filter, rank: 1, sigma, ratio } as Filter;
    };
    expect(isQuickToPlan([inner(1, 1.6)])).toBe(true);
    expect(isQuickToPlan([inner(3, 10)])).toBe(false);
  });

  it('lets everything else go on meanwhile', async () => {
    const order: string[] = [];
    const plan = thread.plan(jobOf(rough(127, { rank: 2 }))).then(() => order.push('plan'));
    await new Promise((resolve) => setTimeout(resolve, 0));
    order.push('timer');
    await plan;
    expect(order).toEqual(['timer', 'plan']);
  });

  it('plans small kernels at once', async () => {
    const quick = new PlanThread('there is no such file');
    const job = jobOf(rough(5, { rank: 2 }));
    expect(await quick.plan(job)).toEqual(planNow(job));
  });

  it('leaves out what was cancelled, before and behind what is wanted', async () => {
    const [first, last] = [new AbortController(), new AbortController()];
    const running = thread.plan(jobOf(rough(127, { rank: 2 })), first.signal);
    const wanted = thread.plan(jobOf(rough(33, { rank: 2 })));
    const behind = thread.plan(jobOf(rough(35)), last.signal);
    first.abort();
    last.abort();
    await expect(running).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    await expect(behind).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    expect((await wanted).exact.passes).toHaveLength(1);
  });

  it('gives no answer of a thread that was ended to the plan after it', async () => {
    const answering = `const { parentPort } = require('node:worker_threads');
      const pause = new Int32Array(new SharedArrayBuffer(4));
      parentPort.on('message', ({ stack }) => {
        if (stack[0].id === 'cancelled') Atomics.wait(pause, 0, 0, 100);
        parentPort.postMessage({ ok: true, planned: stack[0].id });
      });`;
    const named = (id: string) => jobOf(rough(65, { rank: 3, id }));
    const plans = new PlanThread(answering, { eval: true });
    expect(await plans.plan(named('ready'))).toBe('ready');
    const stop = new AbortController();
    const cancelled = plans.plan(named('cancelled'), stop.signal);
    const wanted = plans.plan(named('wanted'));
    stop.abort();
    await expect(cancelled).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    // The answer comes while nothing goes on here; after it, timers come before messages: the thread is ended, then heard.
    await new Promise<void>((resolve) =>
      setImmediate(() => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
        resolve();
      }),
    );
    expect(await wanted).toBe('wanted');
    await plans.close();
  });

  it('refuses with the plan’s own words', async () => {
    const job = jobOf(rough(65, { size: 'valid' }));
    const tiny = { ...job, picture: { ...picture, width: 10, height: 10 } };
    await expect(thread.plan(tiny)).rejects.toMatchObject({ failure: { code: 'invalidPlan', subject: 'custom' } });
  });
});
