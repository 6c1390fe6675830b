// What a stack keeps in memory between its filters on the CPU, which computes it in bands of rows: of each result as many
// rows as the next kernel looks at. Of small kernels that is little; of kernels as tall as the picture it is all of it.

import type { PictureKind } from './costs';
import type { FilterPath } from './planText';

/** Rows of a band at least (native/cpu/bands.cpp). */
const bandRows = 64;
/** Less than this, in bytes, of all results together is not worth a word. */
const worthAWord = 64 * 2 ** 20;

/**
 * About how many bytes of each filter's result wait for the next filter; 0 for all where they are few. `results` are the
 * pictures that the filters leave.
 */
export function keptResults(paths: readonly FilterPath[], results: readonly PictureKind[]): readonly number[] {
  const kept = results.map(({ width, height, channels, sampleType }, index) => {
    const next = paths[index + 1];
    if (!next || next.kind === 'edges') return 0;
    const rows = Math.min(height, bandRows + next.height - 1);
    return rows * width * channels * (sampleType === 'u16' ? 8 : 4);
  });
  const sum = kept.reduce((total, bytes) => total + bytes, 0);
  return sum > worthAWord ? kept : kept.map(() => 0);
}
