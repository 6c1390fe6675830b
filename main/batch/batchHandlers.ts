// The batch of the window: pictures and folder are chosen in main's dialogs and stay there; one batch runs at a time.

import os from 'node:os';
import path from 'node:path';
import type { BatchEnd, BatchProgress } from '../../core/batch';
import { ConvolveError, failureOf } from '../../core/errors';
import type { Channel } from '../../core/ipc';
import type { HandlerParts, Handlers } from '../handlers';
import { Pause } from './pause';
import { type BatchParts, runBatch } from './run';
import { type BatchSource, findSources } from './sources';

type BatchChannel = Extract<Channel, `batch:${string}`>;

/** Of the computer's memory, what pictures may take at a time: the window's own picture is there too. */
const memoryShare = 0.3;

interface Running {
  readonly controller: AbortController;
  readonly pause: Pause;
  readonly work: Promise<unknown>;
}

export interface BatchHandlers {
  readonly handlers: Pick<Handlers, BatchChannel>;
  /** Stops a running batch and waits until it has left nothing half-written. */
  stop(): Promise<void>;
}

const nothingYet: BatchProgress = { total: 0, done: 0, skipped: 0, failed: 0, rate: 0, secondsLeft: null };
const missing = (subject: string, expected: string) =>
  new ConvolveError({ code: 'invalidArgument', subject, expected });

export function createBatchHandlers({
  pictures,
  renderer,
  codec,
  desktop,
}: Pick<HandlerParts, 'pictures' | 'renderer' | 'codec' | 'desktop'>): BatchHandlers {
  const parts: BatchParts = { pictures: pictures.another(), renderer, codec };
  let sources: readonly BatchSource[] = [];
  let folder: string | null = null;
  let running: Running | null = null;

  const choose = async (words: readonly string[] | null, recursive: boolean) => {
    if (words === null || words[0] === undefined) return null;
    sources = await findSources(words, path.sep, recursive);
    return { count: sources.length, name: path.basename(words[0]) };
  };

  return {
    handlers: {
      'batch:chooseFiles': async () => choose(await desktop.chooseBatchFiles(), false),
      'batch:chooseFolder': async () => {
        const chosen = await desktop.chooseFolder('open');
        return choose(chosen === null ? null : [chosen], true);
      },
      async 'batch:chooseTarget'() {
        const chosen = await desktop.chooseFolder('save');
        if (chosen === null) return null;
        folder = chosen;
        return { folder: path.basename(chosen) || chosen };
      },
      async 'batch:start'({ stack, scope, ...request }) {
        if (running) throw missing('batch', 'one at a time');
        if (sources.length === 0) throw missing('batch', 'pictures to go through');
        if (folder === null) throw missing('batch', 'a folder for the results');
        const controller = new AbortController();
        const pause = new Pause();
        let progress: BatchProgress = { ...nothingYet, total: sources.length };
        const order = {
          ...request,
          sources,
          folder,
          scope,
          jobs: os.availableParallelism(),
          memoryBytes: os.totalmem() * memoryShare,
          stackFor: async () => stack,
        };
        const started = performance.now();
        const finished = (_: unknown, now: BatchProgress) => {
          progress = now;
          desktop.announce('batch:progress', now);
        };
        const work = runBatch(parts, order, { signal: controller.signal, finished }, pause);
        running = { controller, pause, work };
        try {
          const { failures, warned, ...counts } = await work;
          const named = failures.map(({ source, failure }) => ({ name: path.basename(source), failure }));
          const warnings = warned.flatMap(({ source, warnings: all }) =>
            all.map((warning) => ({ name: path.basename(source), warning })),
          );
          const losses = warned.flatMap(({ source, losses: all }) =>
            all.map((loss) => ({ name: path.basename(source), loss })),
          );
          return { ...counts, stopped: false, failures: named, warnings, losses };
        } catch (thrown) {
          if (failureOf(thrown).code !== 'cancelled') throw thrown;
          const end: BatchEnd = {
            ...progress,
            stopped: true,
            failures: [],
            warnings: [],
            losses: [],
            left: { taken: 0, changed: 0 },
            milliseconds: performance.now() - started,
          };
          return end;
        } finally {
          running = null;
        }
      },
      async 'batch:pause'({ paused }) {
        if (paused) running?.pause.pause();
        else running?.pause.resume();
        return undefined;
      },
      async 'batch:cancel'() {
        running?.controller.abort();
        return undefined;
      },
    },
    async stop() {
      running?.controller.abort();
      await running?.work.catch(() => undefined);
    },
  };
}
