// Plans on a thread of its own, one after another. A plan that nobody waits for any more is left out, or, where it has begun
// and takes long, ends with its thread.

import { Worker, type WorkerOptions } from 'node:worker_threads';
import { ConvolveError, type Failure } from '../core/errors';
import { buffersOf, type PackedStack, packStack } from '../core/packedStack';
import { isQuickToPlan, type PlanJob, type Planned, planNow } from './planning';

export type PlanAnswer =
  | { readonly ok: true; readonly planned: Planned }
  | { readonly ok: false; readonly failure: Failure };

/** A job on its way to the thread. */
export interface PackedJob extends Omit<PlanJob, 'stack'> {
  readonly stack: PackedStack;
}

/** How long a plan that has begun may go on after it was cancelled, in ms: a new thread takes as long to be ready. */
const grace = 300;

interface Waiting {
  readonly job: PlanJob;
  readonly resolve: (planned: Planned) => void;
  readonly reject: (error: ConvolveError) => void;
}

export class PlanThread {
  private worker: Worker | null = null;
  private running: Waiting | null = null;
  private readonly waiting: Waiting[] = [];

  /** `file` is the bundled planWorker; `options` let tests run it from its source. */
  constructor(
    private readonly file: string,
    private readonly options: WorkerOptions = {},
  ) {}

  /** Plans here what is quick, everything else on the thread. */
  readonly plan = async (job: PlanJob, signal?: AbortSignal): Promise<Planned> => {
    if (isQuickToPlan(job.stack)) return planNow(job);
    if (signal?.aborted) throw new ConvolveError({ code: 'cancelled' });
    let stop = (): void => undefined;
    const planned = new Promise<Planned>((resolve, reject) => {
      const one: Waiting = { job, resolve, reject };
      stop = () => this.cancel(one);
      signal?.addEventListener('abort', stop, { once: true });
      this.waiting.push(one);
      // In a turn of its own: large kernels have just been read from the page and hashed in this one.
      if (this.running === null)
        setImmediate(() => {
          if (this.running === null) this.next();
        });
    });
    // A batch has one signal for all of its pictures.
    return planned.finally(() => signal?.removeEventListener('abort', stop));
  };

  /** Ends the thread; plans under way are rejected. */
  async close(): Promise<void> {
    const all = [...(this.running ? [this.running] : []), ...this.waiting.splice(0)];
    for (const { reject } of all) reject(new ConvolveError({ code: 'cancelled' }));
    this.running = null;
    await this.end();
  }

  private cancel(one: Waiting): void {
    one.reject(new ConvolveError({ code: 'cancelled' }));
    const place = this.waiting.indexOf(one);
    if (place >= 0) this.waiting.splice(place, 1);
    if (this.running !== one) return;
    setTimeout(() => {
      if (this.running !== one) return;
      this.running = null;
      void this.end();
      this.next();
    }, grace).unref();
  }

  private next(): void {
    this.running = this.waiting.shift() ?? null;
    if (this.running === null) return;
    const { stack, ...rest } = this.running.job;
    const packed = packStack(stack);
    const job: PackedJob = { ...rest, stack: packed };
    this.started().postMessage(job, buffersOf(packed));
  }

  private started(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(this.file, this.options);
    this.worker = worker;
    // A waiting thread is no reason for a program to stay.
    worker.unref();
    worker.on('message', (answer: PlanAnswer) => {
      // A thread that was ended may still have answered: not what runs now.
      if (this.worker === worker) this.settle(answer);
    });
    worker.on('error', (error) => this.fail(worker, error));
    worker.on('exit', () => this.fail(worker));
    return worker;
  }

  private settle(answer: PlanAnswer): void {
    const one = this.running;
    this.next();
    if (answer.ok) one?.resolve(answer.planned);
    else one?.reject(new ConvolveError(answer.failure));
  }

  private fail(worker: Worker, error?: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    const actual = error?.message ?? 'it stopped';
    this.running?.reject(new ConvolveError({ code: 'internal', subject: 'the thread of plans', actual }, error));
    this.next();
  }

  private async end(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }
}
