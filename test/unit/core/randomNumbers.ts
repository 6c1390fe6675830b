// Repeatable random numbers for tests (mulberry32): the same seed gives the same test on every machine.

export interface RandomSource {
  /** 0 ≤ value < 1. */
  next(): number;
  /** A whole number of minimum…maximum. */
  whole(minimum: number, maximum: number): number;
  pick<T>(values: readonly T[]): T;
}

export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (minimum: number, maximum: number) => minimum + Math.floor(next() * (maximum - minimum + 1));
  return { next, whole, pick: <T>(values: readonly T[]) => values[whole(0, values.length - 1)] as T };
}
