// Images made for a picture as a whole, such as its edges or a mask: made once, shared by whoever wants the same, and the
// newest kept. What nobody waits for any more stops being made.

import { ConvolveError } from '../core/errors';
import { CacheBudget, type Cached } from './cacheBudget';
import type { EngineImage } from './engine';
import { unlessAborted } from './unlessAborted';

/** Kept whatever they take: the newest exact one and its draft, and one that undo comes back to. */
export const alwaysKept = 3;
interface Entry {
  readonly image: Promise<EngineImage>;
  readonly stop: AbortController;
  made: EngineImage | null;
  waiting: number;
  /** Its place in the budget, once it is none of the newest. */
  cached: Cached | null;
}

export class DerivedImages {
  /** `budget`: of what is kept beyond the newest. */
  constructor(private readonly budget = new CacheBudget()) {}

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
    this.spare(entry);
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
    for (const entry of this.entries.values()) {
      this.spare(entry);
      entry.stop.abort();
      entry.made?.release();
    }
    this.entries.clear();
  }

  private start(key: string, make: (signal: AbortSignal) => Promise<EngineImage>): Entry {
    const stop = new AbortController();
    const entry: Entry = { image: make(stop.signal), stop, made: null, waiting: 0, cached: null };
    this.entries.set(key, entry);
    entry.image.then(
      (made) => {
        if (stop.signal.aborted) return made.release();
        entry.made = made;
        this.countOlder();
      },
      () => this.forget(key, entry),
    );
    return entry;
  }

  private forget(key: string, entry: Entry): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }

  /** It is among the newest again, or gone. */
  private spare(entry: Entry): void {
    if (entry.cached) this.budget.remove(entry.cached);
    entry.cached = null;
  }

  /** A run may still read what is dropped: it is left to the garbage collector, which knows its size. */
  private countOlder(): void {
    const kept = [...this.entries].filter(([, { made }]) => made !== null);
    for (const [key, entry] of kept.slice(0, Math.max(0, kept.length - alwaysKept))) {
      if (entry.cached || !entry.made) continue;
      const drop = () => this.forget(key, entry);
      entry.cached = { bytes: entry.made.bytes, drop };
      if (!this.budget.add(entry.cached)) drop();
    }
  }
}
