// Reads files of kernels: short ones here, long ones on a thread, so that no window waits for them.

import { Worker, type WorkerOptions } from 'node:worker_threads';
import { ConvolveError } from '../core/errors';
import { type LibraryContent, type ReadEntry, type ReadExchange, readEntry, readExchange } from '../core/kernelLibrary';

export interface LibraryQuestion {
  readonly kind: 'entry' | 'exchange';
  readonly bytes: Uint8Array;
}
export type LibraryAnswer =
  | { readonly kind: 'kernel'; readonly content: LibraryContent; readonly of: number }
  | { readonly kind: 'end'; readonly outcome: ReadEntry | ReadExchange };

/** Text that is read within a few milliseconds, in bytes. */
const quickBytes = 64 * 1024;

/** Takes one kernel of a file that has `of`. */
type TakeKernel = (content: LibraryContent, of: number) => void;

interface Asked {
  readonly question: LibraryQuestion;
  readonly take: TakeKernel;
  readonly resolve: (outcome: ReadEntry | ReadExchange) => void;
  readonly reject: (error: ConvolveError) => void;
}

/** The memory behind bytes where it is theirs alone: handed over, not copied, since a library may be hundreds of megabytes. */
const ownMemory = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

export class LibraryThread {
  private worker: Worker | null = null;
  private running: Asked | null = null;
  private readonly waiting: Asked[] = [];

  /** `file` is the bundled libraryWorker; `options` let tests run it from its source. */
  constructor(
    private readonly file: string,
    private readonly options: WorkerOptions = {},
  ) {}

  /** The file of one entry, whose bytes are given away. Rejects, as `exchange` does, where the thread ended: that says nothing of the file. */
  async entry(bytes: Uint8Array): Promise<ReadEntry> {
    if (bytes.length <= quickBytes) return readEntry(new TextDecoder().decode(bytes));
    return (await this.ask({ kind: 'entry', bytes }, () => undefined)) as ReadEntry;
  }

  /** A file that carries kernels; `take` is given each, before the answer, which then has none. */
  async exchange(bytes: Uint8Array, take: TakeKernel): Promise<ReadExchange> {
    if (bytes.length > quickBytes) return (await this.ask({ kind: 'exchange', bytes }, take)) as ReadExchange;
    const read = readExchange(new TextDecoder().decode(bytes));
    if (read.kind !== 'kernels') return read;
    for (const content of read.contents) take(content, read.contents.length);
    return { ...read, contents: [] };
  }

  /** Ends the thread; what is waited for is rejected. */
  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    const asked = [...(this.running ? [this.running] : []), ...this.waiting.splice(0)];
    this.running = null;
    for (const { reject } of asked) reject(new ConvolveError({ code: 'cancelled' }));
    await worker?.terminate();
  }

  private ask(question: LibraryQuestion, take: TakeKernel): Promise<ReadEntry | ReadExchange> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, take, resolve, reject });
      if (this.running === null) this.next();
    });
  }

  private next(): void {
    this.running = this.waiting.shift() ?? null;
    if (this.running === null) return;
    const { question } = this.running;
    this.started().postMessage(question, ownMemory(question.bytes));
  }

  private started(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(this.file, this.options);
    this.worker = worker;
    // A waiting thread is no reason for a program to stay.
    worker.unref();
    worker.on('message', (answer: LibraryAnswer) => this.take(answer));
    const ended = (error?: Error) => {
      if (this.worker !== worker) return;
      this.worker = null;
      const actual = error?.message ?? 'it stopped';
      this.running?.reject(
        new ConvolveError({ code: 'internal', subject: 'the thread of the library', actual }, error),
      );
      this.next();
    };
    worker.on('error', ended);
    worker.on('exit', () => ended());
    return worker;
  }

  private take(answer: LibraryAnswer): void {
    const { running } = this;
    if (answer.kind === 'kernel') {
      running?.take(answer.content, answer.of);
      return;
    }
    this.next();
    running?.resolve(answer.outcome);
  }
}
