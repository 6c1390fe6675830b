// What the filters before the changed one make of a picture, kept so that moving a slider computes only its own filter and
// those behind it. The engine gives the same bytes from a kept result as from the picture, whatever has been kept.

import type { Size } from '../core/geometry';
import type { Pass, SampleType } from '../core/pass';
import type { CacheBudget, Cached } from './cacheBudget';
import type { BackendName, Engine, EngineImage, KeptResult } from './engine';

/** Where a run starts, and the passes that it has left. */
export interface RunStart {
  readonly from: EngineImage | KeptResult;
  readonly passes: readonly Pass[];
}

interface Entry extends Cached {
  readonly image: EngineImage;
  readonly passes: readonly Pass[];
  readonly result: KeptResult;
}

/** Bytes of a whole result as the CPU keeps it: floats, for 16 bits doubles. */
export function keptBytes({ width, height }: Size, channels: number, sampleType: SampleType): number {
  return width * height * channels * (sampleType === 'u16' ? 8 : 4);
}

const isPlain = (value: object) => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

/** Whether both are the same data; what is no data, such as an image of the engine, is the same as itself alone. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Float64Array && b instanceof Float64Array)
    return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
  if (!isPlain(a) || !isPlain(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const one = Object.entries(a);
  return (
    one.length === Object.keys(b).length &&
    one.every(([key, value]) => Object.hasOwn(b, key) && isSame(value, (b as Record<string, unknown>)[key]))
  );
}

/** How many passes two plans begin with alike. */
export function commonPasses(a: readonly Pass[], b: readonly Pass[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && isSame(a[count], b[count])) count += 1;
  return count;
}

/** Of one picture, its coarser levels and what steps made of it. */
export class UpstreamResults {
  private readonly entries = new Set<Entry>();
  /** The passes that a view of an image showed last. */
  private readonly shown = new WeakMap<EngineImage, readonly Pass[]>();

  constructor(
    private readonly engine: Pick<Engine, 'keep' | 'sizeAfter'>,
    private readonly budget: CacheBudget,
  ) {}

  /**
   * A view is to show these passes over the image: what they have in common with what it showed before is kept from now
   * on, where the budget has room for it.
   */
  show(image: EngineImage, passes: readonly Pass[]): void {
    // The picture itself is shown beside its result, and says nothing about what changes.
    if (passes.length === 0) return;
    const before = this.shown.get(image);
    this.shown.set(image, passes);
    if (before === undefined || before === passes) return;
    const common = commonPasses(before, passes);
    // What ends where both end is shown already, and a change of the first filter has nothing before it.
    if (common === 0 || common === passes.length) return;
    const found = this.longest(image, passes);
    if (found === null || found.passes.length < common) this.keep(image, passes.slice(0, common));
  }

  /** The quickest way to run these passes over the image. */
  start(image: EngineImage, passes: readonly Pass[]): RunStart {
    const found = this.longest(image, passes);
    if (found === null) return { from: image, passes };
    this.budget.touch(found);
    return { from: found.result, passes: passes.slice(found.passes.length) };
  }

  /** Bytes that what is kept may take. */
  bytes(): number {
    return [...this.entries].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Lets go of everything. */
  release(): void {
    for (const entry of this.entries) {
      this.budget.remove(entry);
      entry.drop();
    }
  }

  /** What is kept of most of the passes' beginning, though never of all of them. */
  private longest(image: EngineImage, passes: readonly Pass[]): Entry | null {
    let longest: Entry | null = null;
    for (const entry of this.entries) {
      const { length } = entry.passes;
      if (entry.image !== image || length >= passes.length || length <= (longest?.passes.length ?? 0)) continue;
      if (commonPasses(entry.passes, passes) === length) longest = entry;
    }
    return longest;
  }

  private keep(image: EngineImage, passes: readonly Pass[]): void {
    const size = this.engine.sizeAfter(passes, image);
    const result = this.engine.keep(passes, image);
    const entry: Entry = {
      image,
      passes,
      result,
      bytes: keptBytes(size, image.channels, image.sampleType),
      drop: () => {
        this.entries.delete(entry);
        result.release();
      },
    };
    if (this.budget.add(entry)) this.entries.add(entry);
    else result.release();
  }
}

/** The one backend that keeps results between runs. */
export const keepingBackend: BackendName = 'cpu';

/** Where a run of these passes starts. */
export const startOf = (
  upstream: UpstreamResults | undefined,
  backend: BackendName,
  image: EngineImage,
  passes: readonly Pass[],
): RunStart =>
  upstream === undefined || backend !== keepingBackend ? { from: image, passes } : upstream.start(image, passes);
