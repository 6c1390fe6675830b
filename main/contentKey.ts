// Keys under which results are kept: told by what they were made from.

import { createHash } from 'node:crypto';

/** Long arrays of numbers: a kernel's weights, a brush's points. */
const isLong = (name: string, value: unknown): value is number[] =>
  (name === 'weights' || name === 'points') && Array.isArray(value) && value.length > 1024;

/** A text that is the same for the same values; many numbers are told by their hash, as text they would hold everybody up. */
export function contentKey(what: unknown): string {
  return JSON.stringify(what, (name, value: unknown) =>
    isLong(name, value) ? createHash('sha256').update(Float64Array.from(value)).digest('base64') : value,
  );
}
