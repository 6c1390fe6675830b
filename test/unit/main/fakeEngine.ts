// An engine without the addon: every stack copies the picture (means at coarser levels), and runs can be held and let go
// one by one, so that tests decide the order of things.

import { ConvolveError, type EngineErrorCode } from '../../../core/errors';
import { type Rectangle, sizeAtLevel } from '../../../core/geometry';
import type { Mask } from '../../../core/mask';
import type { EdgeFilter, Pass, Samples, SampleType } from '../../../core/pass';
import type { BackendName, Engine, EngineImage, KeptResult, MaskBefore, RunRequest } from '../../../main/engine';

interface FakeImage extends EngineImage {
  readonly samples: Samples;
}

interface FakeKept extends KeptResult {
  readonly before: readonly Pass[];
  readonly image: EngineImage;
}

export interface RunRecord {
  readonly backend: BackendName;
  /** All of them, also where the run started from a kept result. */
  readonly passes: readonly Pass[];
  /** How many of the passes were kept before the run. */
  readonly kept: number;
  readonly request: RunRequest;
  readonly image: EngineImage;
}

/** The image behind where a run starts, and the passes up to there. */
function behind(from: EngineImage | KeptResult): { readonly image: EngineImage; readonly before: readonly Pass[] } {
  return 'before' in from ? (from as FakeKept) : { image: from as EngineImage, before: [] };
}

const sampleTypeOf = (samples: Samples): SampleType => {
  if (samples instanceof Uint8Array) return 'u8';
  if (samples instanceof Uint16Array) return 'u16';
  return samples instanceof Float32Array ? 'f32' : 'f64';
};
const scales: Readonly<Record<SampleType, number>> = { u8: 255, u16: 65535, f32: 1, f64: 1 };

export interface SearchRecord {
  readonly backend: BackendName;
  readonly passes: readonly Pass[];
  readonly image: EngineImage;
  readonly edges: EdgeFilter;
}

export class FakeEngine implements Engine {
  readonly runs: RunRecord[] = [];
  readonly searches: SearchRecord[] = [];
  readonly applied: Omit<RunRecord, 'request' | 'kept'>[] = [];
  readonly masks: {
    readonly mask: Mask;
    readonly region: Rectangle;
    readonly picture: EngineImage | null;
    readonly change?: Rectangle;
  }[] = [];
  measures = 0;
  /** Kept results that have not been released. */
  kept = 0;
  released = 0;
  running = 0;
  mostRunning = 0;
  cancelled = 0;
  /** Backends that fail with this code when they run. */
  readonly failing = new Map<BackendName, EngineErrorCode>();
  cudaAvailable = false;
  private held: (() => void)[] | null = null;

  /** From now on every run waits until it is let go. */
  hold(): void {
    this.held ??= [];
  }

  /** Lets the run that has waited longest go on; false when none waits. */
  letOneGo(): boolean {
    const next = this.held?.shift();
    next?.();
    return next !== undefined;
  }

  letAllGo(): void {
    const waiting = this.held ?? [];
    this.held = null;
    for (const next of waiting) next();
  }

  get waiting(): number {
    return this.held?.length ?? 0;
  }

  backends() {
    return [
      { name: 'reference', available: true, description: 'fake' },
      { name: 'cpu', available: true, description: 'fake' },
      { name: 'cuda', available: this.cudaAvailable, description: 'fake' },
    ] as const;
  }

  async createImage(
    samples: Samples,
    size: { width: number; height: number },
    channels: number,
    alpha: boolean,
  ): Promise<EngineImage> {
    const image: FakeImage = {
      width: size.width,
      height: size.height,
      channels,
      alpha,
      sampleType: sampleTypeOf(samples),
      bytes: samples.byteLength,
      samples: samples.slice() as Samples,
      release: () => {
        this.released += 1;
      },
    };
    return image;
  }

  async reduce(image: EngineImage, level: number): Promise<EngineImage> {
    const size = sizeAtLevel(image, level);
    const samples = new Uint8Array(size.width * size.height * image.channels);
    this.fill(image as FakeImage, { region: { x: 0, y: 0, ...size }, level }, samples);
    return this.createImage(samples, size, image.channels, image.alpha);
  }

  keep(passes: readonly Pass[], image: EngineImage): KeptResult {
    this.kept += 1;
    const result: FakeKept = {
      before: passes,
      image,
      release: () => {
        this.kept -= 1;
      },
    };
    return result;
  }

  async run(
    backend: BackendName,
    after: readonly Pass[],
    from: EngineImage | KeptResult,
    request: RunRequest,
    destination: Samples,
    signal?: AbortSignal,
  ): Promise<void> {
    const { image, before } = behind(from);
    this.runs.push({ backend, passes: [...before, ...after], kept: before.length, request, image });
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    try {
      await this.turn(signal);
      this.failWhere(backend);
      this.fill(image as FakeImage, request, destination);
    } finally {
      this.running -= 1;
    }
  }

  async measure(backend: BackendName, _passes: readonly Pass[], _from: EngineImage | KeptResult, signal?: AbortSignal) {
    this.measures += 1;
    await this.turn(signal);
    this.failWhere(backend);
    return { minimum: -0.5, maximum: 0.5 };
  }

  /** Copies the image; what was looked for is in `searches`. */
  async findEdges(
    backend: BackendName,
    passes: readonly Pass[],
    image: EngineImage,
    edges: EdgeFilter,
    signal?: AbortSignal,
  ): Promise<EngineImage> {
    this.searches.push({ backend, passes, image, edges });
    await this.turn(signal);
    const code = this.failing.get(backend);
    if (code) throw new ConvolveError({ code, subject: backend });
    return this.createImage((image as FakeImage).samples, image, image.channels, image.alpha);
  }

  /** Copies the image. */
  async apply(
    backend: BackendName,
    passes: readonly Pass[],
    image: EngineImage,
    _depth: SampleType,
    signal?: AbortSignal,
  ) {
    this.applied.push({ backend, passes, image });
    await this.turn(signal);
    this.failWhere(backend);
    return this.createImage((image as FakeImage).samples, image, image.channels, image.alpha);
  }

  /** Full everywhere. */
  async rasteriseMask(
    mask: Mask,
    region: Rectangle,
    picture: EngineImage | null,
    signal?: AbortSignal,
    before?: MaskBefore,
  ) {
    this.masks.push({ mask, region, picture, ...(before ? { change: before.change } : {}) });
    await this.turn(signal);
    return this.createImage(new Uint16Array(region.width * region.height).fill(65535), region, 1, false);
  }

  sizeAfter(_passes: readonly Pass[], size: { width: number; height: number }) {
    return size;
  }

  private failWhere(backend: BackendName): void {
    const code = this.failing.get(backend);
    if (code) throw new ConvolveError({ code, subject: backend });
  }

  private async turn(signal: AbortSignal | undefined): Promise<void> {
    const held = this.held;
    await new Promise<void>((resolve) => {
      const go = () => {
        signal?.removeEventListener('abort', go);
        resolve();
      };
      if (held) held.push(go);
      else setImmediate(go);
      signal?.addEventListener('abort', go);
    });
    if (!signal?.aborted) return;
    this.cancelled += 1;
    throw new ConvolveError({ code: 'cancelled' });
  }

  private fill(image: FakeImage, { region, level }: RunRequest, destination: Samples): void {
    const block = 2 ** level;
    const scale = scales[sampleTypeOf(destination)] / scales[image.sampleType];
    let target = 0;
    for (let y = region.y; y < region.y + region.height; y += 1)
      for (let x = region.x; x < region.x + region.width; x += 1)
        for (let channel = 0; channel < image.channels; channel += 1) {
          let sum = 0;
          let count = 0;
          for (let row = y * block; row < Math.min((y + 1) * block, image.height); row += 1)
            for (let column = x * block; column < Math.min((x + 1) * block, image.width); column += 1) {
              sum += image.samples[(row * image.width + column) * image.channels + channel]!;
              count += 1;
            }
          destination[target] = (sum / count) * scale;
          target += 1;
        }
  }
}
