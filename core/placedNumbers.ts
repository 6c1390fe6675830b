// Numbers with their places in the text that they were read from, so that rows of different lengths, too many of them and
// numbers that no engine could hold are refused where they stand.

import { ConvolveError } from './errors';
import { type Kernel, largestWeight, maximumKernelSize, validateKernel } from './kernel';
import { unreadable } from './textPlace';

/** A number, and where its words begin and end: offsets in the text, in characters from 0. */
export interface PlacedNumber {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** Numbers without their places. */
export const valuesOf = (numbers: readonly PlacedNumber[]): readonly number[] => numbers.map(({ value }) => value);

/** Refuses a number, times `factor`, that is no weight of any kernel. */
export function refuseHuge(text: string, { value, start }: PlacedNumber, factor = 1): void {
  if (!(Math.abs(value * factor) <= largestWeight))
    throw unreadable(text, start, `a number of at most ${largestWeight} in size`);
}

/**
 * Refuses rows that make no kernel: of different lengths, more than 511 or longer than that, none, or with numbers beyond
 * 1e100. Throws ConvolveError `invalidKernel` that names line, column and token.
 */
export function checkRows(text: string, rows: readonly (readonly PlacedNumber[])[], factor = 1): void {
  const width = rows[0]?.length ?? 0;
  if (width === 0) throw unreadable(text, text.length, 'a number');
  rows.forEach((row, index) => {
    const number = index + 1;
    if (number > maximumKernelSize)
      throw unreadable(text, row[0]?.start ?? text.length, `at most ${maximumKernelSize} rows`);
    const beyond = row[Math.min(width, maximumKernelSize)];
    if (beyond !== undefined)
      throw unreadable(
        text,
        beyond.start,
        beyond === row[maximumKernelSize]
          ? `at most ${maximumKernelSize} numbers in a row`
          : `the end of row ${number}, as row 1 has ${width} numbers`,
      );
    if (row.length < width)
      throw unreadable(
        text,
        row.at(-1)?.end ?? text.length,
        `number ${row.length + 1} of row ${number}, as row 1 has ${width}`,
      );
    for (const one of row) refuseHuge(text, one, factor);
  });
}

/** Refuses a list of other than `count` numbers: at the first one too many, or at `end`, where the list ends. */
export function checkCount(text: string, numbers: readonly PlacedNumber[], count: number, end: number): void {
  const beyond = numbers[count];
  if (beyond !== undefined) throw unreadable(text, beyond.start, `only ${count} numbers`);
  if (numbers.length < count) throw unreadable(text, end, `number ${numbers.length + 1} of ${count}`);
  for (const one of numbers) refuseHuge(text, one);
}

/** As validateKernel, for a kernel that was read from a text: what no single number is to blame for is refused at its beginning. */
export function checkKernel(text: string, kernel: Kernel): void {
  try {
    validateKernel(kernel);
  } catch (thrown) {
    if (!(thrown instanceof ConvolveError)) throw thrown;
    const { subject, expected = 'a kernel', actual } = thrown.failure;
    const start = Math.max(0, text.search(/\S/));
    throw unreadable(text, start, `a kernel whose ${subject} is ${expected}`, `one whose ${subject} is ${actual}`);
  }
}
