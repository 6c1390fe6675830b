// Tiles that others hide are not drawn.

import { expect, it } from 'vitest';
import { isCovered } from '../../../renderer/viewport/coveredTiles';

const at = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

it('a box is covered where tiles of one sheet leave no pixel of it, and only there', () => {
  const tiles = [at(0, 0, 100, 100), at(100, 0, 100, 100), at(0, 100, 100, 60)];
  expect(isCovered(at(20, 20, 150, 80), tiles)).toBe(true);
  expect(isCovered(at(0, 0, 100, 160), tiles)).toBe(true);
  expect(isCovered(at(0, 0, 100, 161), tiles)).toBe(false);
  expect(isCovered(at(90, 90, 20, 20), tiles)).toBe(false);
  expect(isCovered(at(0, 0, 1, 1), [])).toBe(false);
});
