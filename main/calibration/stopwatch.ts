// Times one pass over a made-up picture: the least of several runs, because whatever else a computer does only adds.

import type { PictureKind } from '../../core/costs';
import type { Epilogue, Pass, PassWork, Samples, SampleType } from '../../core/pass';
import { createSamples, fullScale } from '../../core/pass';
import type { BackendName, Engine, EngineImage } from '../engine';

/**
 * wall: the time that passes. processor: the time that the program's threads compute, divided by their number, for a
 * computer that does other work meanwhile; it takes for granted that the threads share the work evenly.
 */
export type Clock = 'wall' | 'processor';

export interface StopwatchOptions {
  readonly clock?: Clock;
  /** Aborting rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Awaited before each run, for whoever must let other work go first. */
  readonly beforeRun?: () => Promise<void>;
  /** Where tests make time pass. */
  readonly now?: () => number;
}

/**
 * How long a row is measured: at least `runs` runs, and more until they took `milliseconds`. One is enough of a row so long
 * that what disturbs it is a small part of it.
 */
export interface Effort {
  readonly runs: number;
  readonly milliseconds: number;
}
const mostRuns = 25;
/** Times `milliseconds` that one run takes to be enough. */
const longRun = 4;

/** Threads of an engine, as its description ends: `AVX-512, 2 threads`. 1 where it says none. */
export function threadsOf(description: string): number {
  return Number(/(\d+) threads?$/.exec(description)?.[1] ?? 1);
}

/** Pixels after which a made-up picture repeats; copying is quicker than making. */
const patternPixels = 4099;

/** Grain without a pattern; alpha, where there is some, is full everywhere, as in nearly all photos. */
function madeUp({ width, height, channels, sampleType }: PictureKind): Samples {
  const samples = createSamples(sampleType, width * height * channels);
  const scale = fullScale[sampleType];
  const alpha = channels % 2 === 0;
  const pattern = Math.min(samples.length, patternPixels * channels);
  let grain = 1;
  for (let index = 0; index < pattern; index += 1) {
    grain = (grain * 16807) % 2147483647;
    samples[index] = alpha && index % channels === channels - 1 ? scale : ((grain % 4096) / 4096) * scale;
  }
  for (let filled = pattern; filled < samples.length; filled *= 2) samples.copyWithin(filled, 0, filled);
  return samples;
}

/** A made-up picture with the memory for its results. */
export class Subject {
  private constructor(
    readonly kind: PictureKind,
    readonly image: EngineImage,
    readonly destination: Samples,
  ) {}

  static async create(engine: Engine, kind: PictureKind): Promise<Subject> {
    const samples = madeUp(kind);
    const image = await engine.createImage(samples, kind, kind.channels, kind.channels % 2 === 0);
    // The result overwrites the samples, which the engine has copied: pages that are there already.
    return new Subject(kind, image, samples);
  }

  release(): void {
    this.image.release();
  }
}

/** What every filter of an integer picture starts with. */
function passOf(work: PassWork, sampleType: SampleType, epilogue: Epilogue): Pass {
  return {
    work,
    border: { kind: 'mirror' },
    size: 'same',
    alpha: 'weighted',
    light: 'encoded',
    epilogue,
    range: { kind: sampleType === 'u8' || sampleType === 'u16' ? 'clamp' : 'float' },
  };
}

export class Stopwatch {
  private readonly threads: number;

  constructor(
    private readonly engine: Engine,
    private readonly backend: BackendName,
    private readonly options: StopwatchOptions = {},
  ) {
    const description = engine.backends().find(({ name }) => name === backend)?.description ?? '';
    this.threads = threadsOf(description);
  }

  /** Milliseconds of one pass over the whole subject: the least of its runs. */
  async milliseconds(
    subject: Subject,
    work: PassWork,
    effort: Effort,
    epilogue: Epilogue = { result: 1, input: 0, offset: 0 },
  ): Promise<number> {
    const passes = [passOf(work, subject.kind.sampleType, epilogue)];
    const { width, height } = subject.kind;
    const request = { region: { x: 0, y: 0, width, height }, level: 0 };
    const { signal, beforeRun, clock = 'wall', now = () => performance.now() } = this.options;
    let least = Number.POSITIVE_INFINITY;
    let spent = 0;
    const enough = (run: number) =>
      run >= mostRuns ||
      (run >= effort.runs && spent >= effort.milliseconds) ||
      (run > 0 && effort.milliseconds > 0 && spent >= longRun * effort.milliseconds);
    for (let run = 0; !enough(run); run += 1) {
      await beforeRun?.();
      const cpu = process.cpuUsage();
      const started = now();
      await this.engine.run(this.backend, passes, subject.image, request, subject.destination, signal);
      const wall = now() - started;
      const used = process.cpuUsage(cpu);
      const processor = (used.user + used.system) / 1000 / this.threads;
      const taken = clock === 'wall' ? wall : processor;
      spent += taken;
      least = Math.min(least, taken);
    }
    return least;
  }
}
