import { describe, expect, it } from 'vitest';
import { tileSize } from '../../../core/pixelPort';
import { type HeldTile, type SheetName, TileCache } from '../../../renderer/viewport/tileCache';

const sheet = (source: string, level = 0, quality: 'exact' | 'draft' = 'exact'): SheetName => ({
  source,
  level,
  quality,
});

function tile(name: SheetName, column: number, bitmap: string, bytes = 100): HeldTile<string> {
  return { sheet: name, rectangle: { x: column * tileSize, y: 0, width: 5, height: 5 }, bytes, bitmap, alpha: false };
}

function cacheOf(budget: number, sources = 9) {
  const released: string[] = [];
  return { released, cache: new TileCache<string>(budget, sources, (bitmap) => released.push(bitmap)) };
}

describe('the tile cache', () => {
  it('gives back what was put, by source, quality, level and position', () => {
    const { cache } = cacheOf(1000);
    cache.put(tile(sheet('a'), 0, 'a0'));
    cache.put(tile(sheet('a', 1), 0, 'a0 of level 1'));
    cache.put(tile(sheet('a', 0, 'draft'), 0, 'draft'));
    expect(cache.get(sheet('a'), 0, 0)?.bitmap).toBe('a0');
    expect(cache.get(sheet('a', 1), 0, 0)?.bitmap).toBe('a0 of level 1');
    expect(cache.get(sheet('a', 0, 'draft'), 0, 0)?.bitmap).toBe('draft');
    expect(cache.get(sheet('b'), 0, 0)).toBeUndefined();
    expect(cache.has(sheet('a'), { x: 256, y: 0, width: 1, height: 1 })).toBe(false);
  });
  it('replaces a tile in place and releases the old one once', () => {
    const { cache, released } = cacheOf(1000);
    cache.put(tile(sheet('a'), 0, 'old'));
    cache.put(tile(sheet('a'), 0, 'new'));
    expect(cache.get(sheet('a'), 0, 0)?.bitmap).toBe('new');
    expect(released).toEqual(['old']);
    expect([cache.bytes, cache.count]).toEqual([100, 1]);
  });
  it('holds a part of a tile until more of it comes, and knows which part', () => {
    const { cache, released } = cacheOf(1000);
    const place = { y: 0, height: 256 };
    cache.put({ ...tile(sheet('a'), 0, 'part'), rectangle: { ...place, x: 200, width: 56 } });
    expect(cache.has(sheet('a'), { ...place, x: 210, width: 46 })).toBe(true);
    expect(cache.has(sheet('a'), { ...place, x: 199, width: 57 })).toBe(false);
    cache.put({ ...tile(sheet('a'), 0, 'whole'), rectangle: { ...place, x: 0, width: 256 } });
    expect(cache.has(sheet('a'), { ...place, x: 0, width: 256 })).toBe(true);
    expect([released, cache.count]).toEqual([['part'], 1]);
  });
  it('stays under its budget by letting the least recently drawn go', () => {
    const { cache, released } = cacheOf(300);
    for (const x of [0, 1, 2]) cache.put(tile(sheet('a'), x, `t${x}`));
    const first = cache.get(sheet('a'), 0, 0);
    expect(first?.bitmap).toBe('t0');
    cache.put(tile(sheet('a'), 3, 't3'));
    expect(released).toEqual(['t1']);
    expect(cache.bytes).toBe(300);
  });
  it('counts a drawn tile as used', () => {
    const { cache, released } = cacheOf(200);
    cache.put(tile(sheet('a'), 0, 't0'));
    cache.put(tile(sheet('a'), 1, 't1'));
    for (const held of cache.tilesOf(sheet('a'))) if (held.bitmap === 't0') cache.touch(held);
    cache.put(tile(sheet('a'), 2, 't2'));
    expect(released).toEqual(['t1']);
  });
  it('holds few stacks, however small their tiles are: the least recently drawn goes whole', () => {
    const { cache, released } = cacheOf(1e9, 2);
    cache.put(tile(sheet('a'), 0, 'a0'));
    cache.put(tile(sheet('a', 1), 0, 'a0 of level 1'));
    cache.put(tile(sheet('b'), 0, 'b0'));
    cache.get(sheet('b'), 0, 0);
    cache.put(tile(sheet('c'), 0, 'c0'));
    expect(released).toEqual(['a0', 'a0 of level 1']);
    cache.get(sheet('b'), 0, 0);
    for (let step = 0; step < 100; step++) cache.put(tile(sheet(`step ${step}`), 0, `${step}`));
    expect([cache.count, cache.bytes]).toEqual([2, 200]);
  });
  it('keeps a tile that alone is larger than the budget: something must be shown', () => {
    const { cache } = cacheOf(50);
    cache.put(tile(sheet('a'), 0, 'large', 100));
    expect(cache.has(sheet('a'), { x: 0, y: 0, width: 1, height: 1 })).toBe(true);
  });
  it('lists the levels it holds of a source, coarsest first', () => {
    const { cache } = cacheOf(1000);
    for (const level of [0, 10, 2]) cache.put(tile(sheet('1:[]', level), 0, `${level}`));
    cache.put(tile(sheet('1:[]x', 5), 0, 'another'));
    expect(cache.levelsOf('1:[]', 'exact')).toEqual([10, 2, 0]);
    expect(cache.levelsOf('1:[]', 'draft')).toEqual([]);
  });
  it('hands over no tile that had to go for another', () => {
    const { cache, released } = cacheOf(1000, 1);
    cache.put(tile(sheet('old'), 0, 'first'));
    cache.put(tile(sheet('old'), 5, 'second'));
    cache.handOver('old', 'new', () => true);
    expect(released).toEqual(['second']);
    expect([
      cache.has(sheet('new'), { x: 0, y: 0, width: 1, height: 1 }),
      cache.has(sheet('new'), { x: 5 * tileSize, y: 0, width: 1, height: 1 }),
    ]).toEqual([true, false]);
  });
  it('lets all tiles of other sources go', () => {
    const { cache, released } = cacheOf(1000);
    cache.put(tile(sheet('old'), 0, 'o'));
    cache.put(tile(sheet('kept'), 0, 'k'));
    cache.keepOnly((source) => source === 'kept');
    expect(released).toEqual(['o']);
    expect(cache.bytes).toBe(100);
    cache.clear();
    expect([cache.bytes, cache.count]).toEqual([0, 0]);
  });
});
