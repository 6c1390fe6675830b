// The calibration that nobody asked for: once after the first start, when the first picture is shown and nothing is being
// computed, in runs of a few milliseconds that stop while a person works. Its table is used from the next start on.

import { ConvolveError } from '../../core/errors';
import type { BackendName, Engine } from '../engine';
import { measureQuick } from './measure';
import { costsFile, hasCosts, storeCosts } from './store';

/** How long nothing may have been computed before a run, in milliseconds. */
const restBefore = 1500;
/** Longest time between two looks at whether there is rest. */
const longestWait = 500;

/** What the calibration must not disturb. */
export interface Work {
  /** Milliseconds since something was last computed; 0 while something is. */
  idleFor(): number;
  /** The backend that runs next. */
  backend(): BackendName;
}

export interface QuietParts {
  readonly engine: Engine;
  readonly work: Work;
  /** Of the program. */
  readonly version: string;
  /** The settings folder. */
  readonly folder: string;
  /** What went wrong, for the log; the program goes on. */
  readonly report: (thrown: unknown) => void;
  /** Waits; rejects with `cancelled` when the signal aborts. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = () => {
      clearTimeout(timer);
      reject(new ConvolveError({ code: 'cancelled', subject: 'calibrate' }));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', refuse);
      resolve();
    }, milliseconds);
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}

export class QuietCalibration {
  private readonly controller = new AbortController();
  private running: Promise<void> | null = null;

  constructor(private readonly parts: QuietParts) {}

  /** To be called when a picture is shown; the first call starts it, unless this engine has been measured already. */
  pictureShown(): void {
    this.running ??= this.run();
  }

  /** Stops it and waits until it has: within one run, some milliseconds. */
  async stop(): Promise<void> {
    this.controller.abort();
    await this.running;
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    const { engine, work, version, folder, report, wait = waitFor } = this.parts;
    const { signal } = this.controller;
    const rest = async () => {
      for (let missing = restBefore - work.idleFor(); missing > 0; missing = restBefore - work.idleFor())
        await wait(Math.min(missing, longestWait), signal);
    };
    try {
      await rest();
      const backend = work.backend();
      // Nobody waits for the law to be fast.
      if (backend === 'reference') return;
      const description = engine.backends().find(({ name }) => name === backend)?.description ?? '';
      const file = costsFile(folder);
      if (await hasCosts(file, { backend, description, engine: version })) return;
      const table = await measureQuick(engine, backend, { version, signal, beforeRun: rest });
      await storeCosts(file, table);
    } catch (thrown) {
      if (!(thrown instanceof ConvolveError && thrown.failure.code === 'cancelled')) report(thrown);
    }
  }
}
