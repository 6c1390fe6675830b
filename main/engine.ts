// The one loader of the native addon, and the engine as the rest of main sees it: images that native owns, and runs that
// fill memory which JavaScript allocated.

import type { Rectangle, Size } from '../core/geometry';
import type { BackendStatus } from '../core/ipc';
import type { Pass, SampleType, Samples } from '../core/pass';

export type BackendName = BackendStatus['name'];

/** Pixels that the engine owns. Released when it is garbage collected, or at once by `release()`. */
export interface EngineImage extends Size {
  readonly channels: number;
  readonly alpha: boolean;
  readonly sampleType: SampleType;
  readonly bytes: number;
  release(): void;
}

/** What to compute: `region` in pixels of `level` of the result. */
export interface RunRequest {
  readonly region: Rectangle;
  readonly level: number;
}

/** Every promise rejects with a ConvolveError; an aborted signal gives `cancelled`. */
export interface Engine {
  backends(): readonly BackendStatus[];
  /** Copies the samples (width × height × channels, rows without padding) into memory that the engine owns. */
  createImage(samples: Samples, size: Size, channels: number, alpha: boolean): Promise<EngineImage>;
  /** The image at a coarser level: means of 2^level × 2^level blocks. */
  reduce(image: EngineImage, level: number): Promise<EngineImage>;
  /** Fills `destination` (region width × height × image channels samples; its type is the depth of the result). */
  run(
    backend: BackendName,
    passes: readonly Pass[],
    image: EngineImage,
    request: RunRequest,
    destination: Samples,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Smallest and largest colour sample of the whole result before rounding, as shares of full scale. */
  measure(
    backend: BackendName,
    passes: readonly Pass[],
    image: EngineImage,
    signal?: AbortSignal,
  ): Promise<{ readonly minimum: number; readonly maximum: number }>;
  /** Size of the result at level 0. */
  sizeAfter(passes: readonly Pass[], size: Size): Size;
}
