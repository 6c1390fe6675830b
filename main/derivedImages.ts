// Images made for a picture as a whole, such as its edges or a mask: made once, shared by whoever wants the same, and the
// newest kept. What nobody waits for any more stops being made.

import os from 'node:os';
import { ConvolveError } from '../core/errors';
import type { EngineImage } from './engine';
import { unlessAborted } from './unlessAborted';

/** Kept whatever they take: the newest exact one and its draft, and one that undo comes back to. */
export const alwaysKept = 3;
/** Bytes that images take before the oldest go: a part of the machine's memory, so that a stack of some masks fits. */
const standardBudget = Math.max(2 ** 28, os.totalmem() / 32);

interface Entry {
  readonly image: Promise<EngineImage>;
  readonly stop: AbortController;
  made: EngineImage | null;
  waiting: number;
}

export class DerivedImages {
  constructor(private readonly budget = standardBudget) {}

  /** The one used last comes last. */
  private readonly entries = new Map<string, Entry>();

  /**
   * The image of this key, made by `make` where there is none. Rejects with `cancelled` as soon as `signal` aborts; the
   * signal given to `make` aborts when nobody waits any more. Images that are no longer kept are freed once unused.
   */
  async get(
    key: string,
    make: (signal: AbortSignal) => Promise<EngineImage>,
    signal?: AbortSignal,
  ): Promise<EngineImage> {
    if (signal?.aborted) throw new ConvolveError({ code: 'cancelled' });
    const entry = this.entries.get(key) ?? this.start(key, make);
    this.entries.delete(key);
    this.entries.set(key, entry);
    if (entry.made) return entry.made;
    entry.waiting += 1;
    try {
      return await unlessAborted(entry.image, signal);
    } finally {
      entry.waiting -= 1;
      if (!entry.made && entry.waiting === 0) {
        this.forget(key, entry);
        entry.stop.abort();
      }
    }
  }

  /** Whether the image of this key is made. */
  has(key: string): boolean {
    return this.peek(key) !== null;
  }

  /** The image of this key where it is made, without a claim on it: whoever uses it at once may. */
  peek(key: string): EngineImage | null {
    return this.entries.get(key)?.made ?? null;
  }

  /** Bytes of the images that are kept. */
  bytes(): number {
    return [...this.entries.values()].reduce((sum, { made }) => sum + (made?.bytes ?? 0), 0);
  }

  /** Frees what is kept, and stops what is being made. Nobody may use an image of it any more. */
  release(): void {
    for (const { made, stop } of this.entries.values()) {
      stop.abort();
      made?.release();
    }
    this.entries.clear();
  }

  private start(key: string, make: (signal: AbortSignal) => Promise<EngineImage>): Entry {
    const stop = new AbortController();
    const entry: Entry = { image: make(stop.signal), stop, made: null, waiting: 0 };
    this.entries.set(key, entry);
    entry.image.then(
      (made) => {
        if (stop.signal.aborted) return made.release();
        entry.made = made;
        this.dropOldest();
      },
      () => this.forget(key, entry),
    );
    return entry;
  }

  private forget(key: string, entry: Entry): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }

  /** A run may still read the oldest: it is left to the garbage collector, which knows its size. */
  private dropOldest(): void {
    const kept = [...this.entries].filter(([, { made }]) => made !== null);
    for (const [key] of kept.slice(0, Math.max(0, kept.length - alwaysKept)))
      if (this.bytes() > this.budget) this.entries.delete(key);
  }
}
