// The codec on a thread of its own. Pixels move between the threads without being copied; a job that is cancelled or takes
// too long ends with its thread, and a thread that has worked is replaced once it idles, so that its memory comes back.

import { Worker, type WorkerOptions } from 'node:worker_threads';
import { ConvolveError, type Failure } from '../../core/errors';
import type { Size } from '../../core/geometry';
import type { ScreenSpace } from '../../core/pixelPort';
import { type Codec, codecThread, type EncodeOrder } from './codec';
import type { DecodedPicture } from './decode';
import { type DecodeLimits, defaultLimits } from './limits';
import type { EncodedPreview } from './preview';
import type { ScreenTile } from './screenColour';

export type CodecJob =
  | { readonly kind: 'memory'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string }
  | {
      readonly kind: 'decode';
      readonly id: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly name: string;
      readonly limits: DecodeLimits;
      readonly page: number;
    }
  | {
      readonly kind: 'thumbnails';
      readonly id: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly pages: readonly number[];
    }
  | { readonly kind: 'encode'; readonly id: number; readonly order: EncodeOrder }
  | {
      readonly kind: 'screen';
      readonly id: number;
      readonly tile: ScreenTile;
      readonly profile: Uint8Array;
      readonly space: ScreenSpace;
    }
  | { readonly kind: 'preview'; readonly id: number; readonly order: EncodeOrder; readonly view: Size };

export type CodecAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly failure: Failure };

/** How long a thread that has worked idles before a fresh one takes its place, in ms. */
const idleMilliseconds = 30_000;
/** The codec's own time limit comes first; this much later the thread is ended, in ms. */
const graceMilliseconds = 5_000;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: ConvolveError) => void;
}

const stopped = (cause?: Error) =>
  new ConvolveError({ code: 'internal', subject: codecThread, actual: cause?.message ?? 'it stopped' }, cause);

export class WorkerCodec implements Codec {
  private worker: Worker | null = null;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private idle: NodeJS.Timeout | null = null;

  /** `file` is the bundled codecWorker; `options` let tests run it from its source. */
  constructor(
    private readonly file: string,
    private readonly options: WorkerOptions = {},
  ) {}

  /** Starts the thread, so that the first picture does not wait for it. */
  warm(): void {
    this.started();
  }

  async memoryFor(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<number> {
    return (await this.run({ kind: 'memory', id: this.nextId++, bytes, name }, [])) as number;
  }

  async decode(
    bytes: Uint8Array<ArrayBuffer>,
    name: string,
    limits = defaultLimits,
    page = 1,
  ): Promise<DecodedPicture> {
    const id = this.nextId++;
    const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
    const answer = this.run({ kind: 'decode', id, bytes, name, limits, page }, whole ? [bytes.buffer] : []);
    const limit = setTimeout(
      () => {
        this.drop(
          id,
          new ConvolveError({ code: 'decodeTimeout', subject: name, expected: `at most ${limits.seconds} seconds` }),
        );
      },
      limits.seconds * 1000 + graceMilliseconds,
    );
    return (await answer.finally(() => clearTimeout(limit))) as DecodedPicture;
  }

  async thumbnails(bytes: Uint8Array<ArrayBuffer>, pages: readonly number[]): Promise<readonly (Uint8Array | null)[]> {
    const job = { kind: 'thumbnails', id: this.nextId++, bytes, pages } as const;
    return (await this.run(job, [])) as readonly (Uint8Array | null)[];
  }

  async toScreen(tile: ScreenTile, profile: Uint8Array, space: ScreenSpace): Promise<Uint8Array> {
    const job = { kind: 'screen', id: this.nextId++, tile, profile, space } as const;
    return (await this.run(job, [tile.pixels.buffer])) as Uint8Array;
  }

  async encode(order: EncodeOrder, signal?: AbortSignal): Promise<readonly Uint8Array[]> {
    const id = this.nextId++;
    return (await this.runUnlessCancelled({ kind: 'encode', id, order }, signal)) as readonly Uint8Array[];
  }

  async preview(order: EncodeOrder, view: Size, signal?: AbortSignal): Promise<EncodedPreview> {
    const id = this.nextId++;
    return (await this.runUnlessCancelled({ kind: 'preview', id, order, view }, signal)) as EncodedPreview;
  }

  /** Ends the thread; jobs under way are rejected. */
  async close(): Promise<void> {
    if (this.idle) clearTimeout(this.idle);
    await this.end();
  }

  private async runUnlessCancelled(
    job: Extract<CodecJob, { readonly order: EncodeOrder }>,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const cancelled = () => new ConvolveError({ code: 'cancelled', subject: 'export' });
    if (signal?.aborted) throw cancelled();
    const answer = this.run(job, [job.order.container.buffer]);
    const drop = () => this.drop(job.id, cancelled());
    signal?.addEventListener('abort', drop, { once: true });
    return answer.finally(() => signal?.removeEventListener('abort', drop));
  }

  private run(job: CodecJob, moved: readonly ArrayBuffer[]): Promise<unknown> {
    const worker = this.started();
    if (this.idle) clearTimeout(this.idle);
    this.idle = null;
    return new Promise<unknown>((resolve, reject) => {
      this.pending.set(job.id, { resolve, reject });
      worker.postMessage(job, moved);
    });
  }

  private started(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(this.file, this.options);
    this.worker = worker;
    // A waiting codec is no reason for a program to stay.
    worker.unref();
    worker.on('message', (answer: CodecAnswer) => this.settle(answer));
    worker.on('error', (error) => this.fail(worker, error));
    worker.on('exit', () => this.fail(worker));
    return worker;
  }

  private settle(answer: CodecAnswer): void {
    const job = this.pending.get(answer.id);
    this.pending.delete(answer.id);
    if (answer.ok) job?.resolve(answer.value);
    else job?.reject(new ConvolveError(answer.failure));
    if (this.pending.size > 0) return;
    this.idle = setTimeout(() => void this.end().then(() => this.warm()), idleMilliseconds);
    this.idle.unref();
  }

  /** The thread is gone: so are its jobs. */
  private fail(worker: Worker, error?: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const job of this.pending.values()) job.reject(stopped(error));
    this.pending.clear();
  }

  /** Gives a job up. Its thread goes with it, unless another job still needs the thread. */
  private drop(id: number, reason: ConvolveError): void {
    const job = this.pending.get(id);
    if (!job) return;
    this.pending.delete(id);
    job.reject(reason);
    if (this.pending.size === 0) void this.end().then(() => this.warm());
  }

  private async end(): Promise<void> {
    const worker = this.worker;
    this.worker = null;
    for (const job of this.pending.values()) job.reject(stopped());
    this.pending.clear();
    await worker?.terminate();
  }
}
