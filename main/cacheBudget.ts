// How much memory may hold what could be computed again. What was used longest ago goes first.

import os from 'node:os';

/** Share of the machine's memory that caches take where nobody says otherwise. */
const standardShare = 1 / 8;
const megabyte = 2 ** 20;

/** The standard budget in MiB: an eighth of the machine's memory, to a whole number of 64 MiB. */
export function standardCacheMegabytes(memoryBytes = os.totalmem()): number {
  return Math.max(256, Math.round((memoryBytes * standardShare) / megabyte / 64) * 64);
}

/** Something that takes memory and can be done without. */
export interface Cached {
  readonly bytes: number;
  /** Gives the memory back; the budget has forgotten it by then. */
  drop(): void;
}

export class CacheBudget {
  /** The one used last comes last. */
  private readonly held = new Set<Cached>();

  /** `limit`: bytes, asked for whenever something is added. */
  constructor(private readonly limit: () => number = () => standardCacheMegabytes() * megabyte) {}

  get bytes(): number {
    return [...this.held].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Takes it in, and drops others until all fits; false, and nothing is dropped, where it alone is too large. */
  add(cached: Cached): boolean {
    const limit = this.limit();
    if (cached.bytes > limit) return false;
    let bytes = this.bytes + cached.bytes;
    for (const oldest of this.held) {
      if (bytes <= limit) break;
      bytes -= oldest.bytes;
      this.held.delete(oldest);
      oldest.drop();
    }
    this.held.add(cached);
    return true;
  }

  /** It was used just now. */
  touch(cached: Cached): void {
    if (this.held.delete(cached)) this.held.add(cached);
  }

  /** Forgets it without dropping it. */
  remove(cached: Cached): void {
    this.held.delete(cached);
  }
}
