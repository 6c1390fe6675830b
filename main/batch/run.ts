// A batch: many pictures through one stack, a few at a time within a memory budget, each result written whole or not at all.
// A picture that fails is noted and the others go on; a full disk or a lost folder stops the run, which can be resumed.

import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { BatchFormat, BatchProgress, BatchScope, ConflictRule, ResultsLeft } from '../../core/batch';
import type { Stack } from '../../core/document';
import { ConvolveError, type ErrorCode, type Failure, failureOf } from '../../core/errors';
import { type ExportLoss, lossesBesideWarnings } from '../../core/exportLosses';
import type { ExportFormat, ExportOptions } from '../../core/exportOptions';
import type { SampleType } from '../../core/pass';
import type { PictureWarning } from '../../core/warningText';
import { checkTarget, targetError } from '../atomicWrite';
import { type Codec, codecThread } from '../codec/codec';
import { formatExtensions } from '../codec/exportFormat';
import type { DecodedFormat } from '../codec/sniff';
import { requirePicture } from '../codec/sniff';
import { exportPicture } from '../export';
import type { OpenPictures } from '../images';
import { exists, readPictureFile } from '../pictureFile';
import { bytesHash } from '../projects/fileHash';
import type { Renderer } from '../render';
import { unlessAborted } from '../unlessAborted';
import { withFolder } from './folderLock';
import { type Earlier, isSame, Journal, journalName, markOf, type SourceMark } from './journal';
import { MemoryBudget } from './memoryBudget';
import { checkPattern, fillPattern, TargetNames } from './names';
import { Pause } from './pause';
import type { BatchSource } from './sources';

export interface BatchOrder {
  readonly sources: readonly BatchSource[];
  /** Absolute; made where it is missing. */
  readonly folder: string;
  /** Names of the results, as in names.ts. */
  readonly pattern: string;
  readonly format: BatchFormat;
  readonly options: Omit<ExportOptions, 'format'>;
  readonly conflict: ConflictRule;
  /** Pictures worked on at a time, at most. */
  readonly jobs: number;
  /** Memory for the pictures worked on at a time, in bytes. */
  readonly memoryBytes: number;
  readonly scope: BatchScope;
  /** The stack for a picture of this depth. */
  stackFor(sampleType: SampleType): Promise<Stack>;
}

export interface BatchParts {
  /** Where the pictures of the batch are open while they are worked on: its own, so that nobody takes them for documents. */
  readonly pictures: OpenPictures;
  readonly renderer: Renderer;
  readonly codec: Codec;
}

/** How one source ended. */
export type FileOutcome =
  | {
      readonly kind: 'done';
      readonly source: string;
      readonly target: string;
      readonly fileBytes: number;
      readonly milliseconds: number;
      /** What is to be known of how the source opened: damaged, one page of several. */
      readonly warnings: readonly PictureWarning[];
      /** What the result does not have of the source. */
      readonly losses: readonly ExportLoss[];
    }
  /** An earlier run had done it. */
  | { readonly kind: 'skipped'; readonly source: string; readonly reason: 'earlier' }
  /** There was a file of its name. `changed`: the source has changed since that was written. */
  | {
      readonly kind: 'skipped';
      readonly source: string;
      readonly reason: 'taken';
      readonly target: string;
      readonly changed: boolean;
    }
  | { readonly kind: 'failed'; readonly source: string; readonly failure: Failure };

export interface BatchSummary extends BatchProgress {
  /** In the order of the sources. */
  readonly failures: readonly Extract<FileOutcome, { kind: 'failed' }>[];
  /** Those of which there is something to be known, in the same order. */
  readonly warned: readonly Extract<FileOutcome, { kind: 'done' }>[];
  readonly left: ResultsLeft;
  readonly milliseconds: number;
}

export interface BatchWatch {
  readonly signal: AbortSignal;
  readonly finished?: (outcome: FileOutcome, progress: BatchProgress) => void;
}

/** What no other picture could be written through either. */
const fatalCodes: readonly ErrorCode[] = ['targetFull', 'targetFolderMissing'];

/** Digest of what makes the results what they are: another digest, another batch. */
async function settingsDigest(order: BatchOrder): Promise<string> {
  const stacks = await Promise.all((['u8', 'u16', 'f32'] as const).map((sampleType) => order.stackFor(sampleType)));
  const settings = [order.pattern, order.format, order.options, stacks];
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}

const formatFor = (order: BatchOrder, source: DecodedFormat): ExportFormat => {
  if (order.format !== 'same') return order.format;
  return source === 'gif' || source === 'pnm' ? 'png' : source;
};

/** Makes a folder for results. Throws the target codes, naming it. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (thrown) {
    const named = targetError(thrown, folder);
    // Of a way that leads nowhere the whole is named, not where it ends.
    throw failureOf(named).code === 'targetFolderMissing' ? targetError(thrown, path.join(folder, 'result')) : named;
  }
}

/** One run of a batch. */
class BatchRun {
  private readonly budget: MemoryBudget;
  private readonly started = performance.now();
  private readonly stop = new AbortController();
  private readonly failures: Extract<FileOutcome, { kind: 'failed' }>[] = [];
  private readonly warned: Extract<FileOutcome, { kind: 'done' }>[] = [];
  private counts = { done: 0, skipped: 0 };
  private left: ResultsLeft = { taken: 0, changed: 0 };
  private fatal: unknown = null;

  constructor(
    private readonly parts: BatchParts,
    private readonly order: BatchOrder,
    private readonly journal: Journal,
    private readonly earlier: Earlier,
    private readonly names: TargetNames,
    private readonly watch: BatchWatch,
    private readonly pause: Pause,
  ) {
    this.budget = new MemoryBudget(order.memoryBytes);
  }

  async run(): Promise<BatchSummary> {
    const { signal } = this.watch;
    const stop = () => this.stop.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const queue = this.order.sources.entries();
    const worker = async () => {
      for (const [index, source] of queue) {
        await unlessAborted(this.pause.passed(), this.stop.signal);
        if (this.stop.signal.aborted) return;
        await this.take(source, index);
      }
    };
    try {
      // Settled, not raced: nothing is left half-written by a worker that nobody waits for.
      await Promise.allSettled(Array.from({ length: this.order.jobs }, worker));
    } finally {
      signal.removeEventListener('abort', stop);
    }
    if (this.fatal !== null) throw this.fatal;
    if (signal.aborted) throw new ConvolveError({ code: 'cancelled' });
    if (this.failures.length === 0) await this.journal.remove();
    const places = new Map(this.order.sources.map(({ file }, index) => [file, index]));
    const placeOf = ({ source }: { readonly source: string }) => places.get(source) ?? 0;
    const inOrder = <T extends { readonly source: string }>(some: readonly T[]) =>
      [...some].sort((a, b) => placeOf(a) - placeOf(b));
    const [failures, warned] = [inOrder(this.failures), inOrder(this.warned)];
    const { left } = this;
    return { ...this.progress(), failures, warned, left, milliseconds: performance.now() - this.started };
  }

  private async take(source: BatchSource, index: number): Promise<void> {
    const mark = await markOf(source.file);
    const line = this.earlier.get(source.file);
    const known = line && isSame(line, mark) ? line : null;
    const isDone = known?.kind === 'done' && (await exists(path.join(this.order.folder, known.target)));
    if (isDone || (this.order.scope === 'retry' && line?.kind !== 'failed')) {
      this.finish({ kind: 'skipped', source: source.file, reason: 'earlier' });
      return;
    }
    try {
      this.finish(await this.through(source, index, mark, known?.kind === 'begun' ? known.target : null));
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (this.stop.signal.aborted && failure.code === 'cancelled') return;
      // A folder below the output folder that is missing keeps no other picture from being written.
      const elsewhere = failure.code === 'targetFolderMissing' && (await exists(this.order.folder));
      if (fatalCodes.includes(failure.code) && !elsewhere) {
        this.fatal ??= thrown;
        this.stop.abort();
        return;
      }
      await this.journal.write({ kind: 'failed', ...mark }).catch(() => undefined);
      this.finish({ kind: 'failed', source: source.file, failure });
    }
  }

  /** One picture from its file to its result. `begun`: the file that an interrupted run was writing for it. */
  private async through(
    source: BatchSource,
    index: number,
    mark: SourceMark,
    begun: string | null,
  ): Promise<FileOutcome> {
    const { order } = this;
    const { signal } = this.stop;
    const started = performance.now();
    const name = path.basename(source.file);
    if (source.failure) throw new ConvolveError(source.failure);
    const bytes = await readPictureFile(source.file, requirePicture);
    const format = formatFor(order, requirePicture(bytes, name));
    const wanted = this.targetFor(source, index, format, begun);
    const target = await this.names.take(wanted, source.file);
    if (target === null) {
      const changed = mark.modified > (await markOf(wanted)).modified;
      return { kind: 'skipped', source: source.file, reason: 'taken', target: wanted, changed };
    }
    const memory = await unlessAborted(this.parts.codec.memoryFor(bytes, name), signal);
    const { fileBytes, warnings, losses } = await this.budget.within(
      memory,
      async () => {
        await this.journal.write({ kind: 'begun', ...mark, target: path.relative(order.folder, target) });
        const original = { source: { kind: 'file', path: source.file }, sha256: bytesHash(bytes) } as const;
        original.sha256.catch(() => undefined);
        const decoded = await unlessAborted(this.decode(bytes, source.file), signal);
        const origin = { name, format: decoded.format, fileBytes: mark.bytes, folder: null, original };
        const info = await this.parts.pictures.add(decoded, origin);
        try {
          const stack = await order.stackFor(info.sampleType);
          const options = { ...order.options, format };
          await makeFolder(path.dirname(target));
          const exported = await this.parts.pictures.use(info.id, (picture) =>
            exportPicture(this.parts, picture, stack, target, options, { signal }),
          );
          const losses = lossesBesideWarnings(info, options);
          return { fileBytes: exported.fileBytes, warnings: info.warnings, losses };
        } finally {
          await this.parts.pictures.close(info.id);
        }
      },
      signal,
    );
    await this.journal.write({ kind: 'done', ...mark, target: path.relative(order.folder, target) });
    const milliseconds = performance.now() - started;
    return { kind: 'done', source: source.file, target, fileBytes, milliseconds, warnings, losses };
  }

  /** Once more where the codec's thread died of itself and took the bytes with it. */
  private async decode(bytes: Uint8Array<ArrayBuffer>, file: string) {
    const name = path.basename(file);
    try {
      return await this.parts.codec.decode(bytes, name);
    } catch (thrown) {
      const { code, subject } = failureOf(thrown);
      if (code !== 'internal' || subject !== codecThread) throw thrown;
      return this.parts.codec.decode(await readPictureFile(file, requirePicture), name);
    }
  }

  /** The file that the result should have: the one that was begun for it, or the one of its name. */
  private targetFor(source: BatchSource, index: number, format: ExportFormat, begun: string | null): string {
    const { order } = this;
    if (begun !== null) return path.join(order.folder, begun);
    const name = path.parse(source.file).name;
    const stem = fillPattern(order.pattern, name, index + 1, order.sources.length, format);
    return path.join(order.folder, source.folder, `${stem}${formatExtensions[format][0]}`);
  }

  private finish(outcome: FileOutcome): void {
    if (outcome.kind === 'failed') this.failures.push(outcome);
    else this.counts[outcome.kind] += 1;
    if (outcome.kind === 'done' && outcome.warnings.length + outcome.losses.length > 0) this.warned.push(outcome);
    if (outcome.kind === 'skipped' && outcome.reason === 'taken')
      this.left = { taken: this.left.taken + 1, changed: this.left.changed + (outcome.changed ? 1 : 0) };
    this.watch.finished?.(outcome, this.progress());
  }

  private progress(): BatchProgress {
    const { done, skipped } = this.counts;
    const failed = this.failures.length;
    const total = this.order.sources.length;
    const worked = done + failed;
    const seconds = (performance.now() - this.started - this.pause.milliseconds()) / 1000;
    const rate = worked === 0 ? 0 : worked / Math.max(seconds, 1e-3);
    return { total, done, skipped, failed, rate, secondsLeft: rate > 0 ? (total - worked - skipped) / rate : null };
  }
}

/**
 * Runs a batch to its end. Throws cancelled when the signal aborts, targetFull or targetFolderMissing when nothing can be
 * written any more, and what checkTarget throws for a folder that takes no files; what was done until then stays, and the
 * journal knows it. Failures of single pictures are in the summary.
 */
export async function runBatch(
  parts: BatchParts,
  order: BatchOrder,
  watch: BatchWatch,
  pause: Pause = new Pause(),
): Promise<BatchSummary> {
  checkPattern(order.pattern);
  const settings = await settingsDigest(order);
  await makeFolder(order.folder);
  await checkTarget(path.join(order.folder, journalName));
  return withFolder(order.folder, () => runInFolder(parts, order, settings, watch, pause));
}

async function runInFolder(
  parts: BatchParts,
  order: BatchOrder,
  settings: string,
  watch: BatchWatch,
  pause: Pause,
): Promise<BatchSummary> {
  const known = order.scope === 'start' ? null : await Journal.goOn(order.folder, settings);
  if (!known && order.scope === 'retry')
    throw new ConvolveError({
      code: 'invalidArgument',
      subject: 'retry',
      expected: 'a batch in the output folder that had failures',
      actual: 'none',
    });
  const journal = known?.journal ?? (await Journal.begin(order.folder, settings));
  const earlier = known?.earlier ?? new Map();
  const names = await TargetNames.create(
    order.conflict,
    order.sources.map(({ file }) => file),
  );
  for (const line of earlier.values())
    if (line.kind === 'begun') await names.keep(path.join(order.folder, line.target), line.source);
  return new BatchRun(parts, order, journal, earlier, names, watch, pause).run();
}
