// The imperative canvas: tiles and drawing, one frame at a time, of what is in sight. React mounts it and tells it the
// scene; pixels never pass through React.

import type { Failure } from '../../core/errors';
import { type Rectangle, type Size, sizeAtLevel } from '../../core/geometry';
import type { Layer, MainMessage, PageMessage, RenderDoneMessage, ScreenSpace } from '../../core/pixelPort';
import { MaskOverlay } from '../mask/maskOverlay';
import { CanvasSize } from './canvasSize';
import type { CanvasPlace, CanvasTool } from './canvasTool';
import { type CompareMode, comparedParts, type SplitDirection } from './compare';
import {
  canvasSpaces,
  checkerboardPattern,
  makeBitmap,
  paintCheckerboard,
  paintLayer,
  paintPixelFrame,
  paintPixelGrid,
} from './drawing';
import { levelForZoom, type Point, pixelGridZoom, visibleAtLevel } from './geometry';
import { LayerFeed, type LayerState, type LayerView, type Subject } from './layerFeed';
import { markClipped, paintSigned, signedDifference } from './pixelViews';
import { Sight, type ZoomMode } from './sight';
import { TileCache } from './tileCache';

/** Bytes of tiles kept; a 4K screen at the worst zoom shows about 270 MB of them in both layers together. */
const tileBudget = 384 * 2 ** 20;
/** Stacks whose tiles are kept: the opened picture, what is shown, and a few that undo or a slow change comes back to. */
const keptSources = 7;
/** What is to be seen. Where no filter works, `result` is the same subject as `original`. */
export interface Scene {
  readonly imageId: number;
  readonly size: Size;
  readonly alpha: boolean;
  readonly original: Subject;
  readonly result: Subject;
  readonly compare: CompareMode;
  /** Where the split lies, as a share of the viewport's width from the left, or of its height from the top. */
  readonly split: number;
  readonly splitDirection: SplitDirection;
  readonly differenceGain: number;
  readonly clipping: boolean;
  /** Colours of signed values (`signedColours`), where the result's pixels are such; else null. */
  readonly signed: Uint8Array | null;
  /** The picture whose mask is seen over it: that of its last filter. Null where none is. */
  readonly mask: Subject | null;
}

export interface ViewStatus {
  readonly state: LayerState;
  /** True while main still works on what is shown. */
  readonly busy: boolean;
  /** Share of the visible tiles that are exact. */
  readonly share: number;
  readonly failed: boolean;
  readonly stopped: boolean;
  readonly zoom: number;
  readonly zoomMode: ZoomMode;
}

export interface ViewportEvents {
  readonly send: (message: PageMessage) => void;
  readonly status: (status: ViewStatus) => void;
  readonly done: (message: RenderDoneMessage) => void;
  readonly failed: (failure: Failure) => void;
  /** The picture lies elsewhere on the canvas than when this was told last. */
  readonly moved: (place: CanvasPlace) => void;
}

export interface ViewportColours {
  readonly checkerLight: string;
  readonly checkerDark: string;
  readonly grid: string;
}

export class Viewport {
  private readonly context: CanvasRenderingContext2D;
  private readonly cache = new TileCache<ImageBitmap>(tileBudget, keptSources, (bitmap) => bitmap.close());
  private readonly feeds: Readonly<Record<Exclude<Layer, 'mask'>, LayerFeed<ImageBitmap>>>;
  private readonly overlay: MaskOverlay;
  private readonly measure: CanvasSize;
  private scene: Scene | null = null;
  /** Where one looks, and how to look elsewhere. */
  readonly sight: Sight;
  private tool: CanvasTool | null = null;
  private pattern: CanvasPattern | null = null;
  private colours: ViewportColours = {
    checkerLight: '#4a4b4e',
    checkerDark: '#3a3b3e',
    grid: 'rgb(128 128 128 / 40%)',
  };
  /** The picture pixel with a frame around it at high zoom: the one under the pointer, or the cursor. */
  private framed: Point | null = null;
  private marked = false;
  /** The original's pixels, while a difference is drawn. */
  private below: ImageData | null = null;
  private nextFrame = 0;
  private timer = 0;
  private sequence = 0;
  private lastStatus: ViewStatus | null = null;
  private lastPlace: CanvasPlace | null = null;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly events: ViewportEvents,
    /** The colours that the screen can show; the canvas's for as long as it lives. */
    private readonly screen: ScreenSpace,
  ) {
    const context = canvas.getContext('2d', { colorSpace: canvasSpaces[screen] });
    if (context === null) throw new Error('this page has no 2-D canvas');
    this.context = context;
    const nextSequence = () => ++this.sequence;
    const send = (message: PageMessage) =>
      events.send(message.kind === 'render' ? { ...message, screen: this.screen } : message);
    const feed = (layer: Exclude<Layer, 'mask'>) =>
      new LayerFeed<ImageBitmap>(layer, this.cache, nextSequence, makeBitmap, {
        send,
        changed: () => this.redraw(),
        done: (message, exactTiles) => {
          if (exactTiles > 0) events.done(message);
        },
        failed: events.failed,
      });
    this.feeds = { result: feed('result'), original: feed('original') };
    this.overlay = new MaskOverlay(nextSequence, { send, failed: events.failed, changed: () => this.redraw() });
    this.measure = new CanvasSize(canvas, { resized: () => this.drawNow(), density: () => this.redraw() });
    this.sight = new Sight(this.measure, () => this.redraw());
  }

  dispose(): void {
    this.measure.dispose();
    cancelAnimationFrame(this.nextFrame);
    clearTimeout(this.timer);
    this.cache.clear();
    this.overlay.dispose();
  }

  setColours(colours: ViewportColours): void {
    this.colours = colours;
    this.pattern = null;
    this.redraw();
  }

  setScene(scene: Scene | null): void {
    const old = this.scene;
    this.scene = scene;
    if (scene === null || old?.imageId !== scene.imageId) {
      this.sight.show(scene?.imageId ?? null, scene?.size ?? null);
      this.cache.keepOnly((source) => scene !== null && source === scene.original.source);
      for (const feed of Object.values(this.feeds)) feed.forget();
      this.framed = null;
    }
    this.redraw();
  }

  /** A message of the pixel port. */
  receive(message: MainMessage): void {
    if (message.layer === 'mask') this.overlay.receive(message);
    else this.feeds[message.layer].receive(message);
  }

  /** Stops the computing of what is shown; what is on screen stays. */
  stop(): void {
    for (const feed of Object.values(this.feeds)) feed.stop();
  }

  /** Goes on with what was stopped. */
  resume(): void {
    for (const feed of Object.values(this.feeds)) feed.resume();
  }

  /** Puts a tool on the canvas, or takes the one away that was there. */
  setTool(tool: CanvasTool | null): void {
    this.tool = tool;
    this.canvas.style.cursor = tool?.cursor ?? '';
    this.redraw();
  }

  get activeTool(): CanvasTool | null {
    return this.tool;
  }

  /** Frames a picture pixel, or none: where single pixels can be told apart, or at any zoom where it is marked. */
  frame(pixel: Point | null, marked: boolean): void {
    if (pixel?.x === this.framed?.x && pixel?.y === this.framed?.y && marked === this.marked) return;
    const visible = marked || this.marked || this.sight.camera.zoom >= pixelGridZoom;
    this.framed = pixel;
    this.marked = marked;
    if (visible) this.redraw();
  }

  private get size(): Size {
    return this.measure.size;
  }

  private get ratio(): number {
    return this.measure.ratio;
  }

  /** Not with the next frame: a resized canvas is blank until it is drawn. */
  private drawNow(): void {
    cancelAnimationFrame(this.nextFrame);
    this.draw();
  }

  /** Draws with the next frame. */
  redraw(): void {
    if (this.nextFrame === 0) this.nextFrame = requestAnimationFrame(() => this.draw());
  }

  private view(subject: Subject, part: Rectangle): LayerView {
    const level = levelForZoom(this.sight.camera.zoom);
    return {
      subject,
      level,
      levelSize: sizeAtLevel(subject.size, level),
      visible: visibleAtLevel(this.sight.camera, this.size, subject.size, level, subject.origin, part),
    };
  }

  /** The drawn pixels, and a canvas that is empty again. */
  private takePixels(): ImageData {
    const { context, size } = this;
    const pixels = context.getImageData(0, 0, size.width, size.height);
    context.clearRect(0, 0, size.width, size.height);
    return pixels;
  }

  private paintSignedPart(table: Uint8Array, { x, y, width, height }: Rectangle): void {
    if (width <= 0 || height <= 0) return;
    // The tiles hold numbers, which are those of an sRGB canvas.
    const drawn = this.context.getImageData(x, y, width, height, { colorSpace: 'srgb' });
    paintSigned(drawn.data, table);
    this.context.putImageData(drawn, x, y);
  }

  /** The views that are made of drawn pixels. */
  private changePixels(scene: Scene, compare: CompareMode): void {
    const { below } = this;
    this.below = null;
    const marked = scene.clipping && compare !== 'difference' && scene.signed === null;
    if (below === null && !marked) return;
    const drawn = this.takePixels();
    if (below !== null) signedDifference(below.data, drawn.data, scene.differenceGain);
    if (marked) markClipped(drawn.data);
    this.context.putImageData(drawn, 0, 0);
  }

  private draw(): void {
    this.nextFrame = 0;
    if (this.measure.follow()) this.pattern = null;
    if (!this.measure.measured) return;
    const { context, size, scene } = this;
    context.clearRect(0, 0, size.width, size.height);
    if (scene === null) {
      this.feeds.result.show(null);
      this.feeds.original.show(null);
      this.overlay.paint(context, null, this.sight.camera, size, 0);
      return;
    }
    this.sight.hold();
    const { camera } = this.sight;
    const level = levelForZoom(camera.zoom);
    const plain = scene.result.source === scene.original.source;
    const compare = plain && scene.compare !== 'difference' ? 'original' : scene.compare;
    const now = performance.now();
    let wait: number | null = null;
    const parts = comparedParts(compare, scene.split, scene.splitDirection, size);
    for (const layer of ['original', 'result'] as const) {
      const [feed, subject, part] = [this.feeds[layer], scene[layer], parts[layer]];
      feed.show(part.width > 0 && part.height > 0 ? this.view(subject, part) : null);
      const due = feed.pump(now);
      if (due !== null) wait = wait === null ? due : Math.min(wait, due);
      paintLayer(context, this.cache, {
        camera,
        viewport: size,
        sheets: feed.paintOrder(),
        level,
        part,
      });
      if (layer === 'result' && scene.signed !== null) this.paintSignedPart(scene.signed, part);
      // The original is below: what it drew becomes what the result is compared with.
      if (compare === 'difference' && layer === 'original') this.below = this.takePixels();
    }
    this.changePixels(scene, compare);
    if (scene.alpha) {
      this.pattern ??= checkerboardPattern(
        context,
        Math.round(8 * this.ratio),
        this.colours.checkerLight,
        this.colours.checkerDark,
      );
      if (this.pattern !== null) paintCheckerboard(context, this.pattern, camera, size, scene.size);
    }
    const due = this.overlay.paint(context, scene.mask, camera, size, now);
    if (due !== null) wait = wait === null ? due : Math.min(wait, due);
    clearTimeout(this.timer);
    if (wait !== null) this.timer = window.setTimeout(() => this.redraw(), wait + 1);
    if (camera.zoom >= pixelGridZoom) {
      paintPixelGrid(context, camera, size, scene.size, this.colours.grid);
    }
    if (this.framed !== null && (this.marked || camera.zoom >= pixelGridZoom)) {
      paintPixelFrame(context, this.sight.place, this.framed);
    }
    this.tool?.paint(context, this.sight.place);
    this.reportPlace();
    const { original, result } = this.feeds;
    // A difference is exact when both are.
    const waits = compare === 'difference' && original.state !== 'exact';
    this.report(waits || compare === 'original' ? original : result);
  }

  private reportPlace(): void {
    const { place, lastPlace: last } = { place: this.sight.place, lastPlace: this.lastPlace };
    const { camera, viewport } = place;
    const same =
      last !== null &&
      last.camera.centre.x === camera.centre.x &&
      last.camera.centre.y === camera.centre.y &&
      last.camera.zoom === camera.zoom &&
      last.camera.turns === camera.turns &&
      last.viewport.width === viewport.width &&
      last.viewport.height === viewport.height;
    if (same) return;
    this.lastPlace = place;
    this.events.moved(place);
  }

  private report(feed: LayerFeed<ImageBitmap>): void {
    const status: ViewStatus = {
      state: feed.state,
      busy: feed.busy,
      share: feed.share,
      failed: feed.failed,
      stopped: feed.stopped,
      zoom: this.sight.camera.zoom,
      zoomMode: this.sight.zoomMode,
    };
    const last = this.lastStatus;
    if (
      last !== null &&
      last.state === status.state &&
      last.busy === status.busy &&
      last.share === status.share &&
      last.failed === status.failed &&
      last.stopped === status.stopped &&
      last.zoom === status.zoom &&
      last.zoomMode === status.zoomMode
    ) {
      return;
    }
    this.lastStatus = status;
    this.events.status(status);
  }
}
