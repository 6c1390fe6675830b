// The one loader of the native addon, and the engine as the rest of main sees it: images that native owns, and runs that
// fill memory which JavaScript allocated.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ConvolveError, type EngineErrorCode, engineErrorCodes, type Failure } from '../core/errors';
import type { Rectangle, Size } from '../core/geometry';
import type { BackendStatus } from '../core/ipc';
import type { Mask } from '../core/mask';
import type { EdgeFilter, Pass, Samples, SampleType } from '../core/pass';
import type { ToneCurve } from '../core/toneCurve';

export type BackendName = BackendStatus['name'];

/** Pixels that the engine owns. Released when it is garbage collected, or at once by `release()`. */
export interface EngineImage extends Size {
  readonly channels: number;
  readonly alpha: boolean;
  readonly sampleType: SampleType;
  /** Memory behind the image; 0 once released. */
  readonly bytes: number;
  /** Runs that have started still finish; every later use is refused. May be called again. */
  release(): void;
}

/** An image of the same region, of a mask that is the same outside of `change`, in pixels of the picture. */
export interface MaskBefore {
  readonly image: EngineImage;
  readonly change: Rectangle;
}

/**
 * What passes make of an image, computed as runs from it ask for it and kept until it is released. The CPU alone keeps
 * anything; the other backends run all passes.
 */
export interface KeptResult {
  /** Runs that have started still finish; every later use is refused. May be called again. */
  release(): void;
}

/** What to compute: `region` in pixels of `level` of the result. */
export interface RunRequest {
  readonly region: Rectangle;
  readonly level: number;
}

/**
 * Every promise rejects with a ConvolveError; a signal that aborts before the promise settles gives `cancelled`. Until a
 * promise settles, the memory given to the call must not be transferred, and not be written (samples) or read
 * (destination); after a rejection a destination holds anything.
 */
export interface Engine {
  backends(): readonly BackendStatus[];
  /**
   * Copies the samples (width × height × channels, rows without padding) into memory that the engine owns. `curve`: what its
   * colours are in linear light; null for the sRGB curve.
   */
  createImage(
    samples: Samples,
    size: Size,
    channels: number,
    alpha: boolean,
    curve?: ToneCurve | null,
  ): Promise<EngineImage>;
  /** The image at a coarser level: means of 2^level × 2^level blocks. */
  reduce(image: EngineImage, level: number): Promise<EngineImage>;
  /** What the passes (at least one) make of the image, to run further passes from. Takes no memory before that. */
  keep(passes: readonly Pass[], image: EngineImage): KeptResult;
  /** Fills `destination` (region width × height × image channels samples; its type is the depth of the result). */
  run(
    backend: BackendName,
    passes: readonly Pass[],
    from: EngineImage | KeptResult,
    request: RunRequest,
    destination: Samples,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Smallest and largest colour sample of the whole result before rounding, as shares of full scale. */
  measure(
    backend: BackendName,
    passes: readonly Pass[],
    from: EngineImage | KeptResult,
    signal?: AbortSignal,
  ): Promise<{ readonly minimum: number; readonly maximum: number }>;
  /**
   * The edges of what the passes make of the image, as an image of its own: full scale on 0, with the image's channels and
   * alpha, and its depth unless passes have changed alpha.
   */
  findEdges(
    backend: BackendName,
    passes: readonly Pass[],
    image: EngineImage,
    edges: EdgeFilter,
    signal?: AbortSignal,
  ): Promise<EngineImage>;
  /** The whole result of the passes as an image of its own in `depth`, with the image's channels, alpha and curve. */
  apply(
    backend: BackendName,
    passes: readonly Pass[],
    image: EngineImage,
    depth: SampleType,
    signal?: AbortSignal,
  ): Promise<EngineImage>;
  /**
   * A part of a mask as an image of one channel in 16 bits, 0 to 65535, without its feather; `region` in pixels of the
   * picture. `picture`: the whole one, whose brightness counts; null where the mask has no range of it. With `before` only
   * what changed is computed.
   */
  rasteriseMask(
    mask: Mask,
    region: Rectangle,
    picture: EngineImage | null,
    signal?: AbortSignal,
    before?: MaskBefore,
  ): Promise<EngineImage>;
  /** Size of the result at level 0. */
  sizeAfter(passes: readonly Pass[], size: Size): Size;
}

interface CancelToken {
  cancel(): void;
}

/** What native/addon/addon.cpp exports. Functions throw or reject with errors that carry a Failure's fields. */
interface Addon {
  readonly errorCodes: readonly string[];
  readonly CancelToken: new () => CancelToken;
  giveWay(): void;
  prepare(): Promise<void>;
  backends(): readonly BackendStatus[];
  createImage(
    samples: Samples,
    width: number,
    height: number,
    channels: number,
    alpha: boolean,
    curve?: ToneCurve,
  ): Promise<EngineImage>;
  reduce(image: EngineImage, level: number): Promise<EngineImage>;
  keep(passes: readonly Pass[], image: EngineImage): KeptResult;
  run(
    backend: BackendName,
    passes: readonly Pass[],
    from: EngineImage | KeptResult,
    request: RunRequest,
    destination: Samples,
    cancelToken?: CancelToken,
  ): Promise<void>;
  measure(
    backend: BackendName,
    passes: readonly Pass[],
    from: EngineImage | KeptResult,
    cancelToken?: CancelToken,
  ): Promise<{ readonly minimum: number; readonly maximum: number }>;
  findEdges(
    backend: BackendName,
    passes: readonly Pass[],
    image: EngineImage,
    edges: EdgeFilter,
    cancelToken?: CancelToken,
  ): Promise<EngineImage>;
  apply(
    backend: BackendName,
    passes: readonly Pass[],
    image: EngineImage,
    depth: SampleType,
    cancelToken?: CancelToken,
  ): Promise<EngineImage>;
  rasteriseMask(
    mask: AddonMask,
    region: Rectangle,
    picture: EngineImage | undefined,
    cancelToken?: CancelToken,
    before?: EngineImage,
    change?: Rectangle,
  ): Promise<EngineImage>;
  sizeAfter(passes: readonly Pass[], size: Size): Size;
}

/** A mask with the points of its strokes as memory of doubles. */
type AddonMask = Omit<Mask, 'shapes'> & { readonly shapes: readonly object[] };

function addonMask(mask: Mask): AddonMask {
  const shapes = mask.shapes.map((shape) =>
    shape.kind === 'brush'
      ? { ...shape, strokes: shape.strokes.map((stroke) => ({ ...stroke, points: Float64Array.from(stroke.points) })) }
      : shape,
  );
  return { ...mask, shapes };
}

/** Where the build puts the addon, from the project's root; electron-builder keeps the same path outside the archive. */
const addonFile = path.join('build', 'addon', 'Release', 'convolve.node');

/**
 * The addon for a program whose main file lies in `folder`: the root is one folder up in the sources (main/), two up when
 * bundled (dist/main/, and dist/test/ in tests). Inside a packed app the bundle lies in app.asar and the addon, as all native code, beside it in
 * app.asar.unpacked.
 */
export function addonPathFrom(folder: string): string {
  const unpacked = folder.replace(/app\.asar(?=[\\/]|$)/, 'app.asar.unpacked');
  const bundled = path.basename(path.dirname(unpacked)) === 'dist';
  return path.join(unpacked, ...(bundled ? ['..', '..'] : ['..']), addonFile);
}

/** The folder of this file or, once bundled (CommonJS), of the bundle. */
const ownFolder = typeof __dirname === 'string' ? __dirname : import.meta.dirname;

function requireAddon(file: string): Addon {
  const unavailable = (expected: string, actual: string, cause?: unknown) =>
    new ConvolveError({ code: 'backendUnavailable', subject: file, expected, actual }, cause);
  if (!existsSync(file)) throw unavailable('the built engine; `npm run setup` builds it', 'no such file');
  try {
    return createRequire(file)(file) as Addon;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw unavailable('an engine built for this computer; `npm run setup` builds it again', reason, thrown);
  }
}

const isEngineErrorCode = (code: unknown): code is EngineErrorCode =>
  (engineErrorCodes as readonly unknown[]).includes(code);

/** The addon's errors as ConvolveErrors; anything else (a getter of an argument that threw, say) as `internal`. */
function convolveErrorOf(thrown: unknown): ConvolveError {
  if (thrown instanceof ConvolveError) return thrown;
  const { code, subject, expected, actual, message } = Object(thrown) as Partial<Failure> & { message?: unknown };
  if (!isEngineErrorCode(code)) {
    return new ConvolveError({ code: 'internal', subject: 'engine', actual: String(message ?? thrown) }, thrown);
  }
  const failure: Failure = {
    code,
    ...(subject === undefined ? {} : { subject }),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  };
  return new ConvolveError(failure, thrown);
}

function withTypedErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw convolveErrorOf(thrown);
  }
}

async function withTypedRejections<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (thrown) {
    throw convolveErrorOf(thrown);
  }
}

/** One token for each signal, however many runs it cancels, so that a signal collects one listener and no more. */
function tokensOf(addon: Addon): (signal: AbortSignal | undefined) => CancelToken | undefined {
  const tokens = new WeakMap<AbortSignal, CancelToken>();
  return (signal) => {
    if (signal === undefined) return undefined;
    if (signal.aborted) throw new ConvolveError({ code: 'cancelled', subject: 'run' });
    const known = tokens.get(signal);
    if (known !== undefined) return known;
    const token = new addon.CancelToken();
    tokens.set(signal, token);
    signal.addEventListener('abort', () => token.cancel(), { once: true });
    return token;
  };
}

function engineOf(addon: Addon): Engine {
  const tokenOf = tokensOf(addon);
  return {
    backends: () => withTypedErrors(() => addon.backends()),
    createImage: (samples, { width, height }, channels, alpha, curve) =>
      withTypedRejections(() => addon.createImage(samples, width, height, channels, alpha, curve ?? undefined)),
    reduce: (image, level) => withTypedRejections(() => addon.reduce(image, level)),
    keep: (passes, image) => withTypedErrors(() => addon.keep(passes, image)),
    run: (backend, passes, from, request, destination, signal) =>
      withTypedRejections(() => addon.run(backend, passes, from, request, destination, tokenOf(signal))),
    measure: (backend, passes, from, signal) =>
      withTypedRejections(() => addon.measure(backend, passes, from, tokenOf(signal))),
    findEdges: (backend, passes, image, edges, signal) =>
      withTypedRejections(() => addon.findEdges(backend, passes, image, edges, tokenOf(signal))),
    apply: (backend, passes, image, depth, signal) =>
      withTypedRejections(() => addon.apply(backend, passes, image, depth, tokenOf(signal))),
    rasteriseMask: (mask, region, picture, signal, before) =>
      withTypedRejections(() => {
        const { image, change } = before ?? {};
        return addon.rasteriseMask(addonMask(mask), region, picture ?? undefined, tokenOf(signal), image, change);
      }),
    sizeAfter: (passes, size) => withTypedErrors(() => addon.sizeAfter(passes, size)),
  };
}

/**
 * The engine. Its first `backends()` looks for devices, which may take a while: startEngine does not wait for them here.
 * Throws ConvolveError `backendUnavailable`, naming the file, where the addon is missing or does not load.
 */
export function loadEngine(file: string = addonPathFrom(ownFolder)): Engine {
  return engineOf(requireAddon(file));
}

/** As loadEngine, with the devices already looked for on another thread: `backends()` answers at once. */
export async function startEngine(file: string = addonPathFrom(ownFolder)): Promise<Engine> {
  const addon = requireAddon(file);
  await withTypedRejections(() => addon.prepare());
  return engineOf(addon);
}

/** As startEngine, for a program with a window, whose threads come before the engine's. */
export async function startEngineBehindWindow(file: string = addonPathFrom(ownFolder)): Promise<Engine> {
  // Threads that have started stay as they are.
  requireAddon(file).giveWay();
  return startEngine(file);
}

/** The error codes that the addon knows, for the test that holds core/errors.ts against them. */
export function addonErrorCodes(file: string = addonPathFrom(ownFolder)): readonly string[] {
  return requireAddon(file).errorCodes;
}
