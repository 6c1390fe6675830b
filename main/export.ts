// Exports a picture: the whole result at full size, computed in bands so that it can be watched and stopped, encoded, and
// written whole or not at all.

import path from 'node:path';
import type { Stack } from '../core/document';
import { ConvolveError } from '../core/errors';
import type { ExportOptions } from '../core/exportOptions';
import type { Size } from '../core/geometry';
import type { ExportPreview, ExportResult } from '../core/ipc';
import type { Samples } from '../core/pass';
import type { PlanOptions } from '../core/plan';
import { type Receipt, receiptEnding, receiptText } from '../core/receipt';
import { checkTarget, type FileOperations, writeAtomically } from './atomicWrite';
import type { Codec, EncodeOrder } from './codec/codec';
import { checkExport, createExportSamples, exportedSize } from './codec/exportFormat';
import { exportSubject, withReceiptInside } from './codec/exportSubject';
import type { Picture } from './images';
import { digestOf, makeReceipt } from './receipt';
import type { PreparedStack, Renderer } from './render';

/**
 * Pixels of a band: small enough that a cancel and the progress are quick, large enough that halos cost little, and that
 * several devices find it worth their while to share one.
 */
const bandPixels = { reference: 2 ** 20, cpu: 2 ** 20, cuda: 2 ** 24 } as const;
const minimumBandRows = 64;

/** Share of the whole that computing takes in the progress shown; encoding is most of the rest. */
const computeShare = 0.6;
const encodeShare = 0.95;

export interface ExportParts {
  readonly renderer: Renderer;
  readonly codec: Codec;
  /** Where tests make a file operation fail. */
  readonly files?: FileOperations;
  /** What a plan is held to. */
  readonly planned?: PlanOptions;
}

export interface ExportWatch {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: (share: number) => void;
}

/**
 * Fills `samples` with the whole result, band by band from the top. Throws cancelled when the signal aborts. To be called
 * within `renderer.steadily`.
 */
export async function renderWhole(
  renderer: Renderer,
  prepared: PreparedStack,
  samples: Samples,
  { signal, progress }: ExportWatch = {},
): Promise<void> {
  const { width, height } = prepared.size;
  const rows = Math.max(minimumBandRows, Math.floor(bandPixels[prepared.backend] / width));
  const rowSamples = width * prepared.image.channels;
  for (let y = 0; y < height; y += rows) {
    const band = { x: 0, y, width, height: Math.min(rows, height - y) };
    const destination = samples.subarray(y * rowSamples, (y + band.height) * rowSamples);
    await renderer.run(prepared, { region: band, level: 0 }, destination, signal);
    progress?.((y + band.height) / height);
  }
}

interface Rendered {
  readonly order: EncodeOrder;
  /** null where none was asked for. */
  readonly receipt: Receipt | null;
}

/** The stack over the picture at full size, in the memory that the codec encodes from. Throws cancelled. */
async function renderForExport(
  renderer: Renderer,
  picture: Picture,
  stack: Stack,
  options: ExportOptions,
  { signal, progress }: ExportWatch,
  planned: PlanOptions = {},
): Promise<Rendered> {
  const { info, iccProfile, metadata } = picture;
  return renderer.steadily(async () => {
    const prepared = await renderer.prepare(picture, stack, signal, planned);
    const size = exportedSize(prepared.size, options);
    checkExport(prepared.size, info.channels, options);
    let subject = exportSubject({ ...info, iccProfile, metadata }, prepared.size, options);
    let receipt: Receipt | null = null;
    if (options.receipt !== 'none') {
      const { original } = picture;
      if (!original) throw new ConvolveError({ code: 'internal', subject: 'receipt', actual: 'no source file' });
      const source = { ...info, sha256: await original.sha256 };
      const result = { ...size, sampleType: subject.sampleType };
      receipt = await makeReceipt(renderer, prepared, source, stack, options, result, signal);
    }
    if (receipt && options.receipt === 'inside')
      subject = withReceiptInside(subject, options.format, receiptText(receipt));
    const container = createExportSamples(subject, options);
    await renderWhole(renderer, prepared, container.samples, {
      signal,
      progress: (share) => progress?.(share * computeShare),
    });
    return { order: { subject, container: container.bytes, options }, receipt };
  });
}

/** What an export would come to, without writing it. `view`: how much of it to show, in pixels of the file. */
export async function previewExport(
  { renderer, codec }: Pick<ExportParts, 'renderer' | 'codec'>,
  picture: Picture,
  stack: Stack,
  options: ExportOptions,
  view: Size,
  signal?: AbortSignal,
): Promise<ExportPreview> {
  const { order } = await renderForExport(renderer, picture, stack, options, { signal });
  return codec.preview(order, view, signal);
}

const receiptBeside = (target: string) => `${target}${receiptEnding}`;

/** Whether the file, and a receipt that stands beside it, can be written. Throws what writeAtomically would. */
export async function checkTargets(
  target: string,
  { receipt }: Pick<ExportOptions, 'receipt'>,
  files?: FileOperations,
): Promise<void> {
  await checkTarget(target, files);
  if (receipt === 'beside') await checkTarget(receiptBeside(target), files);
}

/** Writes the receipt beside its file, with the file's digest. */
export async function writeReceipt(
  target: string,
  receipt: Receipt,
  pieces: readonly Uint8Array[],
  files?: FileOperations,
): Promise<void> {
  const whole: Receipt = { ...receipt, result: { ...receipt.result, sha256: digestOf(pieces) } };
  await writeAtomically(receiptBeside(target), [Buffer.from(`${receiptText(whole)}\n`)], undefined, files);
}

/**
 * Computes the stack over the picture and writes it to `target`. Until the last step `target` is untouched, and a failure
 * or cancel leaves nothing behind.
 */
export async function exportPicture(
  { renderer, codec, files, planned }: ExportParts,
  picture: Picture,
  stack: Stack,
  target: string,
  options: ExportOptions,
  watch: ExportWatch = {},
): Promise<ExportResult> {
  const started = performance.now();
  const { signal } = watch;
  await checkTargets(target, options, files);
  const { order, receipt } = await renderForExport(renderer, picture, stack, options, watch, planned);
  const { width, height } = exportedSize(order.subject, options);
  const pieces = await codec.encode(order, signal);
  watch.progress?.(encodeShare);
  const fileBytes = await writeAtomically(target, pieces, signal, files);
  if (receipt && options.receipt === 'beside') await writeReceipt(target, receipt, pieces, files);
  watch.progress?.(1);
  return { width, height, fileName: path.basename(target), fileBytes, milliseconds: performance.now() - started };
}
