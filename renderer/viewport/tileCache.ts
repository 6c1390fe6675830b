// Tiles the page holds, found by stack, quality and level, for a few stacks and under a byte budget: the least recently
// drawn go first.

import { intersect, type Rectangle } from '../../core/geometry';
import { tileSize } from '../../core/pixelPort';

export type Quality = 'exact' | 'draft';

/** Which picture a tile is of: `source` names layer, image and stack (subject.ts). */
export interface SheetName {
  readonly source: string;
  readonly quality: Quality;
  readonly level: number;
}

export interface HeldTile<Bitmap> {
  readonly sheet: SheetName;
  /** In pixels of the sheet's level. */
  readonly rectangle: Rectangle;
  readonly bytes: number;
  readonly bitmap: Bitmap;
  /** True where the tile has alpha, so that what lies under it must be cleared before it is drawn. */
  readonly alpha: boolean;
}

const sheetKey = (sheet: SheetName) => `${sheet.source}\n${sheet.quality}\n${sheet.level}`;
/** The cell of the grid that a tile, which may be a part of it, lies in. */
const placeKey = (x: number, y: number) => `${Math.floor(x / tileSize)},${Math.floor(y / tileSize)}`;

/** Whether a tile has pixels in a rectangle, which is in pixels of level 0. */
export function touches({ sheet, rectangle: { x, y, width, height } }: HeldTile<unknown>, part: Rectangle): boolean {
  const block = 2 ** sheet.level;
  const common = intersect({ x: x * block, y: y * block, width: width * block, height: height * block }, part);
  return common.width > 0 && common.height > 0;
}

/** `Bitmap` is what is drawn; `release` is called once for each that leaves the cache, or does not come into it. */
export class TileCache<Bitmap> {
  private readonly sheets = new Map<string, Map<string, HeldTile<Bitmap>>>();
  /** Least recently used first: Map keeps the order in which keys were put. */
  private readonly order = new Map<HeldTile<Bitmap>, true>();
  /** Sources that tiles are held of, least recently drawn first. */
  private readonly sources = new Map<string, true>();
  private held = 0;

  /**
   * `maximumSources`: of how many stacks tiles are kept, however small they are; else a hundred edits would hold a hundred
   * screens.
   */
  constructor(
    readonly budgetBytes: number,
    readonly maximumSources: number,
    readonly release: (bitmap: Bitmap) => void,
  ) {}

  /** Bytes of all tiles held. */
  get bytes(): number {
    return this.held;
  }

  get count(): number {
    return this.order.size;
  }

  /** Takes a tile in, in the place of an older one of the same sheet and position, and lets others go over the budget. */
  put(tile: HeldTile<Bitmap>): void {
    const key = sheetKey(tile.sheet);
    let sheet = this.sheets.get(key);
    if (sheet === undefined) {
      sheet = new Map();
      this.sheets.set(key, sheet);
    }
    const place = placeKey(tile.rectangle.x, tile.rectangle.y);
    const older = sheet.get(place);
    if (older !== undefined) this.remove(older);
    // `remove` may have dropped the emptied sheet.
    if (!this.sheets.has(key)) this.sheets.set(key, sheet);
    sheet.set(place, tile);
    this.order.set(tile, true);
    this.held += tile.bytes;
    this.use(tile.sheet.source);
    this.trim(tile);
  }

  /** The tile at a position of a sheet, marked as just used. */
  get(sheet: SheetName, x: number, y: number): HeldTile<Bitmap> | undefined {
    const tile = this.sheets.get(sheetKey(sheet))?.get(placeKey(x, y));
    if (tile !== undefined) this.touch(tile);
    return tile;
  }

  /** Whether there is all of a part of one tile of a sheet. */
  has(sheet: SheetName, part: Rectangle): boolean {
    const held = this.sheets.get(sheetKey(sheet))?.get(placeKey(part.x, part.y))?.rectangle;
    if (held === undefined) return false;
    const { width, height } = intersect(held, part);
    return width === part.width && height === part.height;
  }

  /** Whether there may be a tile of a source. */
  holds(source: string): boolean {
    return this.sources.has(source);
  }

  /** All tiles of a sheet, in no order, not marked as used. */
  tilesOf(sheet: SheetName): Iterable<HeldTile<Bitmap>> {
    return this.sheets.get(sheetKey(sheet))?.values() ?? [];
  }

  /** Levels at which tiles of a source and quality are held, coarsest first. */
  levelsOf(source: string, quality: Quality): readonly number[] {
    const prefix = `${source}\n${quality}\n`;
    const levels: number[] = [];
    for (const key of this.sheets.keys()) if (key.startsWith(prefix)) levels.push(Number(key.slice(prefix.length)));
    return levels.sort((a, b) => b - a);
  }

  /** Makes the exact tiles of a source that pass the test those of another one. */
  handOver(from: string, to: string, passes: (tile: HeldTile<Bitmap>) => boolean): void {
    for (const tile of [...this.order.keys()]) {
      const { sheet } = tile;
      if (sheet.source !== from || sheet.quality !== 'exact' || !passes(tile)) continue;
      // One that had to go for those handed over before it is released.
      if (!this.forget(tile)) continue;
      this.put({ ...tile, sheet: { ...sheet, source: to } });
    }
  }

  touch(tile: HeldTile<Bitmap>): void {
    if (!this.order.delete(tile)) return;
    this.order.set(tile, true);
    this.use(tile.sheet.source);
  }

  /** Lets every tile go whose source fails the test. */
  keepOnly(keep: (source: string) => boolean): void {
    for (const tile of [...this.order.keys()]) if (!keep(tile.sheet.source)) this.remove(tile);
    for (const source of [...this.sources.keys()]) if (!keep(source)) this.sources.delete(source);
  }

  clear(): void {
    this.keepOnly(() => false);
  }

  private use(source: string): void {
    this.sources.delete(source);
    this.sources.set(source, true);
  }

  private trim(newest: HeldTile<Bitmap>): void {
    for (const source of this.sources.keys()) {
      if (this.sources.size <= this.maximumSources) break;
      this.sources.delete(source);
      this.keepOnly((other) => other !== source);
    }
    for (const tile of this.order.keys()) {
      if (this.held <= this.budgetBytes) return;
      if (tile !== newest) this.remove(tile);
    }
  }

  private remove(tile: HeldTile<Bitmap>): void {
    if (this.forget(tile)) this.release(tile.bitmap);
  }

  /** Answers whether it was held. */
  private forget(tile: HeldTile<Bitmap>): boolean {
    if (!this.order.delete(tile)) return false;
    const key = sheetKey(tile.sheet);
    const sheet = this.sheets.get(key);
    sheet?.delete(placeKey(tile.rectangle.x, tile.rectangle.y));
    if (sheet?.size === 0) this.sheets.delete(key);
    this.held -= tile.bytes;
    return true;
  }
}
