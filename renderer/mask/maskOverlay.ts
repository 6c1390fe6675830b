// The mask of a filter over the picture, in one translucent colour: tiles of main's own mask, asked for and kept as those of
// the picture are.

import type { Failure } from '../../core/errors';
import { type Rectangle, type Size, sizeAtLevel } from '../../core/geometry';
import type { MainMessage, PageMessage, TileMessage } from '../../core/pixelPort';
import { paintLayer } from '../viewport/drawing';
import { type Camera, levelForZoom, visibleAtLevel } from '../viewport/geometry';
import { LayerFeed, type LayerState, type MadeTile, type Subject } from '../viewport/layerFeed';
import { TileCache } from '../viewport/tileCache';
import { overlayOpacity, overlayRgb } from './overlayColour';

const tileBudget = 96 * 2 ** 20;
const keptMasks = 3;

/** A tile of coverage as the colour, as opaque as the mask is full. */
function makeMaskBitmap({ rectangle: { width, height }, pixels }: TileMessage): MadeTile<ImageBitmap> {
  const image = new ImageData(width, height);
  const [red, green, blue] = overlayRgb;
  for (let from = 0, to = 0; from < pixels.length; from += 1, to += 4) {
    image.data[to] = red;
    image.data[to + 1] = green;
    image.data[to + 2] = blue;
    image.data[to + 3] = pixels[from] ?? 0;
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return { bitmap: canvas.transferToImageBitmap(), bytes: width * height * 4, alpha: true };
}

interface OverlayEvents {
  readonly send: (message: PageMessage) => void;
  readonly changed: () => void;
  readonly failed: (failure: Failure) => void;
}

export class MaskOverlay {
  private readonly cache = new TileCache<ImageBitmap>(tileBudget, keptMasks, (bitmap) => bitmap.close());
  private readonly feed: LayerFeed<ImageBitmap>;
  /** The tiles on nothing, so that finer ones can take the place of coarser ones before all is laid over the picture. */
  private sheet: OffscreenCanvas | null = null;
  /** Whose mask was drawn last. */
  private filterId: string | null = null;

  constructor(nextSequence: () => number, events: OverlayEvents) {
    this.feed = new LayerFeed('mask', this.cache, nextSequence, makeMaskBitmap, {
      ...events,
      done: () => undefined,
    });
  }

  get state(): LayerState {
    return this.feed.state;
  }

  receive(message: MainMessage): void {
    this.feed.receive(message);
  }

  dispose(): void {
    this.cache.clear();
  }

  /** Draws the mask of a subject, or none; answers in how many ms to look again, or null. */
  paint(
    context: CanvasRenderingContext2D,
    subject: Subject | null,
    camera: Camera,
    viewport: Size,
    now: number,
  ): number | null {
    if (subject === null) {
      this.feed.show(null);
      this.sheet = null;
      return null;
    }
    const filterId = subject.stack[0]?.id ?? null;
    if (filterId !== this.filterId) {
      // What stays under a mask until its tiles are there must be that mask as it was, not another filter's.
      this.feed.show(null);
      this.feed.forget();
      this.filterId = filterId;
    }
    const level = levelForZoom(camera.zoom);
    const part: Rectangle = { x: 0, y: 0, ...viewport };
    const visible = visibleAtLevel(camera, viewport, subject.size, level);
    this.feed.show({ subject, level, levelSize: sizeAtLevel(subject.size, level), visible });
    const wait = this.feed.pump(now);
    if (this.sheet?.width !== viewport.width || this.sheet.height !== viewport.height)
      this.sheet = new OffscreenCanvas(viewport.width, viewport.height);
    const sheet = this.sheet.getContext('2d');
    if (sheet === null) return wait;
    sheet.clearRect(0, 0, viewport.width, viewport.height);
    paintLayer(sheet, this.cache, { camera, viewport, sheets: this.feed.paintOrder(), level, part });
    context.save();
    context.globalAlpha = overlayOpacity;
    context.drawImage(this.sheet, 0, 0);
    context.restore();
    return wait;
  }
}
