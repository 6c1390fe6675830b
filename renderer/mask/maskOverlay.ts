// The mask of a filter over the picture, in one translucent colour: tiles of main's own mask, asked for and kept as those of
// the picture are.

import { type Rectangle, type Size, sizeAtLevel } from '../../core/geometry';
import { maskChange } from '../../core/maskChange';
import type { MainMessage, TilesMessage } from '../../core/pixelPort';
import { paintLayer } from '../viewport/drawing';
import { type Camera, levelForZoom, visibleAtLevel } from '../viewport/geometry';
import { type FeedEvents, LayerFeed, type Subject } from '../viewport/layerFeed';
import { makeBitmap } from '../viewport/tileBitmap';
import { TileCache, touches } from '../viewport/tileCache';
import { atOnce, type MadeTile } from '../viewport/tileMaking';
import { overlayOpacity, overlayRgb } from './overlayColour';

const tileBudget = 96 * 2 ** 20;
const keptMasks = 3;

/** A tile of coverage as the colour, as opaque as the mask is full. */
function makeMaskTile({ pixels, rectangle }: TilesMessage, tile: Rectangle): MadeTile<ImageBitmap> {
  const [red, green, blue] = overlayRgb;
  const bitmap = makeBitmap(tile, 'srgb', (rgba) => {
    let to = 0;
    for (let row = 0; row < tile.height; row += 1) {
      const from = (tile.y - rectangle.y + row) * rectangle.width + tile.x - rectangle.x;
      for (let at = from; at < from + tile.width; at += 1, to += 4) {
        rgba[to] = red;
        rgba[to + 1] = green;
        rgba[to + 2] = blue;
        rgba[to + 3] = pixels[at] ?? 0;
      }
    }
  });
  return { bitmap, bytes: tile.width * tile.height * 4, alpha: true };
}

export class MaskOverlay {
  private readonly cache = new TileCache<ImageBitmap>(tileBudget, keptMasks, (bitmap) => bitmap.close());
  private readonly feed: LayerFeed<ImageBitmap>;
  /** The tiles on nothing, so that finer ones can take the place of coarser ones before all is laid over the picture. */
  private sheet: OffscreenCanvas | null = null;
  /** What was asked for last. */
  private last: Subject | null = null;
  /** Whose mask is shown; null for none. */
  private filterId: string | null = null;

  constructor(nextSequence: () => number, events: Omit<FeedEvents, 'done'>) {
    this.feed = new LayerFeed('mask', this.cache, nextSequence, atOnce(makeMaskTile), {
      ...events,
      done: () => undefined,
    });
  }

  /** Whether main still works on the mask. */
  get busy(): boolean {
    return this.feed.busy;
  }

  get stopped(): boolean {
    return this.feed.stopped;
  }

  holds({ source }: Subject): boolean {
    return this.cache.holds(source);
  }

  stop(): void {
    this.feed.stop();
  }

  resume(): void {
    this.feed.resume();
  }

  receive(message: MainMessage): void {
    this.feed.receive(message);
  }

  dispose(): void {
    this.cache.clear();
  }

  /** Asks for the mask of a subject, or none, where it is in sight; answers in how many ms to ask again, or null. */
  ask(subject: Subject | null, camera: Camera, viewport: Size, now: number): number | null {
    const filterId = subject?.stack[0]?.id ?? null;
    if (filterId !== this.filterId) {
      // What stays under a mask until its tiles are there must be that mask as it was, not another filter's.
      this.feed.show(null);
      this.feed.forget();
      this.filterId = filterId;
    }
    if (subject === null) {
      this.feed.show(null);
      this.sheet = null;
      this.last = null;
      return null;
    }
    if (this.last !== null && this.last.source !== subject.source) this.handOver(this.last, subject);
    this.last = subject;
    const level = levelForZoom(camera.zoom);
    const visible = visibleAtLevel(camera, viewport, subject.size, level);
    this.feed.show({ subject, level, levelSize: sizeAtLevel(subject.size, level), visible });
    return this.feed.pump(now);
  }

  /** What a stroke leaves as it was needs not be computed again. */
  private handOver(before: Subject, after: Subject): void {
    const [was, is] = [before.stack[0]?.mask, after.stack[0]?.mask];
    if (before.imageId !== after.imageId || was === undefined || is === undefined) return;
    const change = maskChange(was, is);
    if (change === null) return;
    this.cache.handOver(before.source, after.source, (tile) => !touches(tile, change));
  }

  /** Draws the mask that was asked for. */
  paint(context: CanvasRenderingContext2D, camera: Camera, viewport: Size): void {
    if (this.filterId === null) return;
    if (this.sheet?.width !== viewport.width || this.sheet.height !== viewport.height)
      this.sheet = new OffscreenCanvas(viewport.width, viewport.height);
    const sheet = this.sheet.getContext('2d');
    if (sheet === null) return;
    sheet.clearRect(0, 0, viewport.width, viewport.height);
    const part: Rectangle = { x: 0, y: 0, ...viewport };
    const level = levelForZoom(camera.zoom);
    paintLayer(sheet, this.cache, { camera, viewport, sheets: this.feed.paintOrder(), level, part });
    context.save();
    context.globalAlpha = overlayOpacity;
    context.drawImage(this.sheet, 0, 0);
    context.restore();
  }
}
