// Which sample of a row a border gives beyond its ends, right at any distance. native/engine/border.cpp is the same.

import type { Border } from './pass';

/**
 * The index inside 0…count−1 that is read at `position` (which may lie outside), or null where the border has a value of
 * its own: zero and constant.
 */
export function sampleAt(kind: Border['kind'], position: number, count: number): number | null {
  const modulo = (value: number, period: number) => ((value % period) + period) % period;
  if (position >= 0 && position < count) return position;
  switch (kind) {
    case 'zero':
    case 'constant':
      return null;
    case 'replicate':
      return position < 0 ? 0 : count - 1;
    case 'reflect': {
      const at = modulo(position, 2 * count);
      return at < count ? at : 2 * count - 1 - at;
    }
    case 'mirror': {
      const at = modulo(position, Math.max(1, 2 * count - 2));
      return at < count ? at : 2 * count - 2 - at;
    }
    case 'wrap':
      return modulo(position, count);
  }
}
