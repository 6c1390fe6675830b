// Makes the receipt of an export: what ran, by which engine, and how far that engine is from the reference in a part of the
// result.

import { createHash } from 'node:crypto';
import type { Stack } from '../core/document';
import type { ExportOptions } from '../core/exportOptions';
import type { Size } from '../core/geometry';
import { createSamples, type Pass, type SampleType } from '../core/pass';
import { kernelSize } from '../core/plan';
import { pathText, reasonText } from '../core/planText';
import { type Receipt, receiptFormat, receiptVersion } from '../core/receipt';
import type { PreparedStack, Renderer } from './render';
import { software } from './version';

export interface ReceiptSource extends Size {
  readonly name: string;
  readonly fileBytes: number;
  readonly channels: number;
  readonly sampleType: SampleType;
  readonly sha256: string;
  /** Page or frame of a file of several, from 1. */
  readonly page: number;
}

/** Most weights of a kernel that a receipt writes out. */
const maximumWeights = 1024;
/** Sides of the part that is compared, in pixels, the largest that the reference computes in about a second. */
const checkSides = [64, 32, 16, 8] as const;
const maximumCheckWork = 3e8;

/** Typed arrays as lists, or as null where they are long. */
const writable = (_key: string, value: unknown): unknown => {
  if (!(value instanceof Float64Array)) return value;
  return value.length > maximumWeights ? null : Array.from(value);
};

function describePass({ work, mix, ...others }: Pass) {
  // Images are named by their size; the stack says what is in them.
  const named = mix && {
    ...{ opacity: mix.opacity, blend: mix.blend, channels: mix.channels },
    ...(mix.mask ? { mask: { width: mix.mask.width, height: mix.mask.height } } : {}),
    ...(mix.input ? { input: { x: mix.input.x, y: mix.input.y } } : {}),
  };
  const settings = named ? { ...others, mix: named } : others;
  return JSON.parse(JSON.stringify({ work, settings }, writable)) as {
    readonly work: unknown;
    readonly settings: unknown;
  };
}

/** The largest difference between the engine that runs the stack and the reference, in the middle of the result. */
async function checkPart(
  renderer: Renderer,
  prepared: PreparedStack,
  sampleType: SampleType,
  signal: AbortSignal | undefined,
): Promise<Receipt['check']> {
  const { size, passes, image } = prepared;
  const sizes = passes.map(({ work, repeat = 1 }) => ({ ...kernelSize(work), repeat }));
  const reach = sizes.reduce((sum, kernel) => sum + Math.max(kernel.width, kernel.height) * kernel.repeat, 0);
  const cells = sizes.reduce((sum, kernel) => sum + kernel.width * kernel.height * kernel.repeat, 0);
  const side = checkSides.find((length) => cells * (length + reach) ** 2 * image.channels <= maximumCheckWork);
  if (side === undefined) return null;
  const width = Math.min(side, size.width);
  const height = Math.min(side, size.height);
  const region = { x: Math.floor((size.width - width) / 2), y: Math.floor((size.height - height) / 2), width, height };
  const compute = async (backend: PreparedStack['backend']) => {
    const samples = createSamples(sampleType, width * height * image.channels);
    await renderer.run({ ...prepared, backend }, { region, level: 0 }, samples, signal);
    return samples;
  };
  const [ours, law] = [await compute(prepared.backend), await compute('reference')];
  let largestError = 0;
  for (let index = 0; index < ours.length; index += 1)
    largestError = Math.max(largestError, Math.abs((ours[index] ?? 0) - (law[index] ?? 0)));
  return { ...region, largestError };
}

/** The receipt, without the digest of a file that is not there yet. To be called within `renderer.steadily`. */
export async function makeReceipt(
  renderer: Renderer,
  prepared: PreparedStack,
  source: ReceiptSource,
  stack: Stack,
  options: ExportOptions,
  result: Size & { readonly sampleType: SampleType },
  signal?: AbortSignal,
): Promise<Receipt> {
  const { name, fileBytes, sha256, page, width, height, channels, sampleType } = source;
  const { backend, passes, explanations } = prepared;
  const description = renderer.backends().find((status) => status.name === backend)?.description ?? '';
  // Passes after a search for edges are the last of the explanations.
  const paths = explanations
    .slice(explanations.length - passes.length)
    .map(({ path, reason }) => pathText(path) + (reason.kind === 'approximate' ? `; ${reasonText(reason)}` : ''));
  return {
    format: receiptFormat,
    version: receiptVersion,
    software,
    source: { name, bytes: fileBytes, sha256, width, height, channels, page, sampleType },
    stack: [...stack],
    options,
    engine: { backend, description },
    passes: passes.map((pass, index) => ({ ...describePass(pass), path: paths[index] ?? '' })),
    paths: explanations.map(({ filterId, path }) => ({
      filterId,
      kind: path.kind === 'edges' ? path.gradient.kind : path.kind,
    })),
    check: await checkPart(renderer, prepared, result.sampleType, signal),
    result: { width: result.width, height: result.height, sha256: null },
  };
}

/** Digest of a file that is in pieces. */
export function digestOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}
