// Makes the receipt of an export: what ran, by which engine, and how far that engine is from the reference in a part of the
// result.

import { createHash } from 'node:crypto';
import type { Stack } from '../core/document';
import type { ExportOptions } from '../core/exportOptions';
import type { Size } from '../core/geometry';
import { createSamples, type EdgeFilter, type Pass, type SampleType } from '../core/pass';
import { kernelSize, pathOf } from '../core/plan';
import { pathText, reasonText } from '../core/planText';
import { type Receipt, receiptFormat } from '../core/receipt';
import { stackVersion } from '../core/stackVersion';
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

type DescribedPass = Receipt['passes'][number];

function described(work: unknown, settings: unknown, path: string): DescribedPass {
  return {
    ...(JSON.parse(JSON.stringify({ work, settings }, writable)) as Pick<DescribedPass, 'work' | 'settings'>),
    path,
  };
}

function describePass({ work, mix, ...others }: Pass): DescribedPass {
  // Images are named by their size; the stack says what is in them.
  const named = mix && {
    ...{ opacity: mix.opacity, blend: mix.blend, channels: mix.channels },
    ...(mix.threshold === undefined ? {} : { threshold: mix.threshold }),
    ...(mix.mask ? { mask: { width: mix.mask.width, height: mix.mask.height } } : {}),
    ...(mix.input ? { input: { x: mix.input.x, y: mix.input.y } } : {}),
  };
  return described(work, named ? { ...others, mix: named } : others, pathText(pathOf(work)));
}

function describeEdges({ x, y, low, high, norm, use, ...settings }: EdgeFilter): DescribedPass {
  const used = use === undefined ? {} : { use };
  return described(
    { kind: 'edges', x, y, low, high, norm, ...used },
    settings,
    pathText({ kind: 'edges', gradient: pathOf(x), ...used }),
  );
}

/** All that ran, in its order. */
const describeRun = ({ steps, passes }: PreparedStack): readonly DescribedPass[] => [
  ...steps.flatMap((step) => [...step.passes.map(describePass), ...(step.edges ? [describeEdges(step.edges)] : [])]),
  ...passes.map(describePass),
];

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
  const { backend, explanations } = prepared;
  const description = renderer.backends().find((status) => status.name === backend)?.description ?? '';
  return {
    format: receiptFormat,
    version: stackVersion(stack),
    software,
    source: { name, bytes: fileBytes, sha256, width, height, channels, page, sampleType },
    stack: [...stack],
    options,
    engine: { backend, description },
    passes: [...describeRun(prepared)],
    paths: explanations.map(({ filterId, path, reason }) => ({
      filterId,
      kind: path.kind === 'edges' ? path.gradient.kind : path.kind,
      ...(reason.kind === 'approximate' ? { note: reasonText(reason) } : {}),
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
