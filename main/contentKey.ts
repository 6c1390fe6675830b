// Keys under which results are kept: told by what they were made from.

import { createHash } from 'node:crypto';

/** Long arrays of numbers: a kernel's weights, a brush's points. */
const isLong = (name: string, value: unknown): value is number[] =>
  (name === 'weights' || name === 'points') && Array.isArray(value) && value.length > 1024;

/** Of arrays, which nobody changes, that were asked about: a stack is asked about several times for each picture of it. */
const known = new WeakMap<readonly number[], string>();

/** The values that are hashed, kept for the next: fresh memory for each would take longer than the hash. */
let scratch = new Float64Array(0);

function hashOf(values: readonly number[]): string {
  const found = known.get(values);
  if (found !== undefined) return found;
  if (scratch.length < values.length) scratch = new Float64Array(values.length);
  scratch.set(values);
  const hash = createHash('sha256').update(scratch.subarray(0, values.length)).digest('base64');
  known.set(values, hash);
  return hash;
}

/** A text that is the same for the same values; many numbers are told by their hash, as text they would hold everybody up. */
export function contentKey(what: unknown): string {
  return JSON.stringify(what, (name, value: unknown) => (isLong(name, value) ? hashOf(value) : value));
}
