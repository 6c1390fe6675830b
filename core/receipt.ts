// The receipt of an export: JSON that says what was done to which picture, so that it can be done again and checked. Beside
// the exported file, or inside its XMP. Pure: data and text.

import { z } from 'zod';
import { ConvolveError, failureOf, refuseNewer } from './errors';
import { exportOptionsSchema } from './exportOptions';
import { stackSchema } from './filterSchema';
import { sampleTypes } from './pass';
import { pathKinds } from './planText';
import { newestStackVersion } from './stackVersion';

export const receiptFormat = 'convolve-receipt';
/** The newest version that is read; written is that of the stack (core/stackVersion). */
export const receiptVersion = newestStackVersion;
/** Ending of a receipt beside its file, whose whole name stands before it. */
export const receiptEnding = '.receipt.json';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

export const receiptSchema = z.object({
  format: z.literal(receiptFormat),
  version: z.int().min(1).max(receiptVersion),
  /** The program that made the file. */
  software: z.string().max(200),
  source: z.object({
    /** For people; never used as a path. */
    name: z.string().max(1024),
    bytes: count,
    /** Of the source's file. */
    sha256: digest,
    width: count,
    height: count,
    channels: count,
    /** Page or frame of a file of several, from 1. */
    page: z.int().min(1),
    sampleType: z.enum(sampleTypes),
  }),
  stack: stackSchema,
  options: exportOptionsSchema,
  engine: z.object({ backend: z.enum(['reference', 'cpu', 'cuda']), description: z.string().max(500) }),
  /**
   * One for each pass and search for edges, as it ran: its kernels in correlation orientation, weights left out of large ones,
   * and how it was computed, in words. For readers; the stack is what counts.
   */
  passes: z.array(z.object({ work: z.unknown(), path: z.string().max(200), settings: z.unknown() })),
  /**
   * The kind of path of each filter that was on: another computer's costs would perhaps choose another. `note`: that it was
   * approximate, in words.
   */
  paths: z
    .array(z.object({ filterId: z.string().max(200), kind: z.enum(pathKinds), note: z.string().max(200).optional() }))
    .optional(),
  /** How far the engine was from the reference in a part of the result, in levels of integers or shares of full scale. */
  check: z.object({ x: count, y: count, width: count, height: count, largestError: z.number() }).nullable(),
  result: z.object({
    width: count,
    height: count,
    /** Of the exported file; null where the receipt is inside it. */
    sha256: digest.nullable(),
  }),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** A receipt's text; fields in the schema's order, so that the same receipt is the same text. */
export const receiptText = (receipt: Receipt): string => JSON.stringify(receiptSchema.parse(receipt), null, 1);

/** Reads a receipt's text; `subject` names the file in failures. Throws fileTooNew or fileDamaged. */
export function parseReceipt(text: string, subject: string): Receipt {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new ConvolveError({ code: 'fileDamaged', subject, actual: failureOf(thrown).actual ?? '' }, thrown);
  }
  refuseNewer(value, receiptFormat, receiptVersion, subject);
  const parsed = receiptSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const actual = `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'no receipt'}`;
  throw new ConvolveError({ code: 'fileDamaged', subject, actual });
}
