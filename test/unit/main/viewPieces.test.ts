// The pieces in which a view is computed: whole tiles of the level's grid, each once, none that the page has.

import { describe, expect, it } from 'vitest';
import { intersect, type Rectangle } from '../../../core/geometry';
import { tileSize } from '../../../core/pixelPort';
import { piecesOfView } from '../../../main/viewPieces';

const size = { width: 1000, height: 600 };
const whole = { x: 0, y: 0, ...size };
const area = ({ width, height }: Rectangle) => width * height;
const areaOf = (pieces: readonly Rectangle[]) => pieces.reduce((sum, piece) => sum + area(piece), 0);
const overlaps = (a: Rectangle, b: Rectangle) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 16807) % 2147483647;
    return state % below;
  };
}

describe('the pieces of a view', () => {
  it('are single tiles from the middle outwards, cut at the edge, unless they may be larger', () => {
    const all = piecesOfView(whole, size, new Set());
    expect(all.length).toBe(12);
    expect(areaOf(all)).toBe(600_000);
    const distance = ({ x, y, width, height }: Rectangle) => Math.hypot(x + width / 2 - 500, y + height / 2 - 300);
    expect(all.map(distance)).toEqual(all.map(distance).toSorted((a, b) => a - b));
    expect(piecesOfView(whole, size, new Set(), { pixels: 1 })).toEqual(all);
  });
  it('are one where there is room for all of the view', () => {
    expect(piecesOfView(whole, size, new Set(), { pixels: 12 * tileSize ** 2 })).toEqual([whole]);
    expect(piecesOfView({ x: 300, y: 10, width: 100, height: 100 }, size, new Set(), { pixels: 1e7 })).toEqual([
      { x: 256, y: 0, width: 256, height: 256 },
    ]);
  });
  it('leave out what the page has, and what is out of sight', () => {
    const some = piecesOfView(whole, size, new Set([0, 11]), { pixels: 1e7 });
    expect(areaOf(some)).toBe(600_000 - 256 * 256 - 232 * 88);
    for (const gap of [
      { x: 0, y: 0, width: 256, height: 256 },
      { x: 768, y: 512, width: 232, height: 88 },
    ])
      expect(some.some((piece) => overlaps(piece, gap))).toBe(false);
    expect(piecesOfView({ x: 2000, y: 0, width: 10, height: 10 }, size, new Set())).toEqual([]);
  });
  it('hold every missing tile once, whatever is there and however large they may be', () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 300; round += 1) {
      const picture = { width: 1 + random(3000), height: 1 + random(2000) };
      const columns = Math.ceil(picture.width / tileSize);
      const view = {
        x: random(picture.width),
        y: random(picture.height),
        width: 1 + random(2500),
        height: 1 + random(1800),
      };
      const have = new Set(Array.from({ length: random(20) }, () => random(columns * 8)));
      const most = (1 + random(9)) * tileSize ** 2;
      const pieces = piecesOfView(view, picture, have, { pixels: most });
      const tiles = pieces.flatMap(({ x, y, width, height }) => {
        expect([x % tileSize, y % tileSize, width * height <= most]).toEqual([0, 0, true]);
        const found: number[] = [];
        for (let row = y / tileSize; row * tileSize < y + height; row += 1)
          for (let column = x / tileSize; column * tileSize < x + width; column += 1)
            found.push(row * columns + column);
        return found;
      });
      const single = piecesOfView(view, picture, have).map(({ x, y }) => (y / tileSize) * columns + x / tileSize);
      expect(tiles.toSorted((a, b) => a - b)).toEqual(single.toSorted((a, b) => a - b));
    }
  });

  it('end with the view where it is cropped: the same tiles, each a part of its own, no larger than asked', () => {
    const random = randomNumbers(11);
    const inOrder = (pieces: readonly Rectangle[]) => pieces.toSorted((a, b) => a.y - b.y || a.x - b.x);
    for (let round = 0; round < 300; round += 1) {
      const picture = { width: 1 + random(3000), height: 1 + random(2000) };
      const view = { x: random(picture.width), y: random(picture.height), width: 1 + random(2500), height: 99 };
      const columns = Math.ceil(picture.width / tileSize);
      const have = new Set(Array.from({ length: random(20) }, () => random(columns * 8)));
      const pixels = (1 + random(9)) * tileSize ** 2;
      const seen = intersect(view, { x: 0, y: 0, ...picture });
      const single = piecesOfView(view, picture, have, { crop: true });
      const cut = piecesOfView(view, picture, have).map((tile) => intersect(tile, seen));
      expect(inOrder(single)).toEqual(inOrder(cut));
      const pieces = piecesOfView(view, picture, have, { crop: true, pixels });
      expect(areaOf(pieces)).toBe(areaOf(single));
      for (const piece of pieces) {
        expect(area(piece)).toBeLessThanOrEqual(pixels);
        expect(areaOf(single.map((tile) => intersect(tile, piece)))).toBe(area(piece));
      }
    }
  });
});
