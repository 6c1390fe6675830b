// The imperative canvas: camera, tiles, drawing, one frame at a time. React mounts it and tells it the scene; pixels never
// pass through React.

import type { Failure } from '../../core/errors';
import { type Rectangle, type Size, sizeAtLevel } from '../../core/geometry';
import type { MainMessage, PageMessage, RenderDoneMessage } from '../../core/ipc';
import { CanvasSize } from './canvasSize';
import { type CompareMode, comparedParts, type SplitDirection } from './compare';
import {
  checkerboardPattern,
  makeBitmap,
  paintCheckerboard,
  paintLayer,
  paintPixelFrame,
  paintPixelGrid,
} from './drawing';
import {
  type Camera,
  fitZoom,
  holdPicture,
  levelForZoom,
  limitZoom,
  type Point,
  panBy,
  pixelGridZoom,
  screenToPicture,
  visibleAtLevel,
  zoomAbout,
  zoomStep,
} from './geometry';
import { type Layer, LayerFeed, type LayerState, type LayerView, type Subject } from './layerFeed';
import { markClipped, signedDifference } from './pixelViews';
import { TileCache } from './tileCache';

/** Bytes of tiles kept; a 4K screen at the worst zoom shows about 270 MB of them in both layers together. */
const tileBudget = 384 * 2 ** 20;
/** Stacks whose tiles are kept: the opened picture, what is shown, and a few that undo or a slow change comes back to. */
const keptSources = 7;
/** CSS pixels left free around a picture at Fit. */
const fitMargin = 16;

export type ZoomMode = 'fit' | 'free';

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
}

export interface ViewportColours {
  readonly checkerLight: string;
  readonly checkerDark: string;
  readonly grid: string;
}

export class Viewport {
  private readonly context: CanvasRenderingContext2D;
  private readonly cache = new TileCache<ImageBitmap>(tileBudget, keptSources, (bitmap) => bitmap.close());
  private readonly feeds: Readonly<Record<Layer, LayerFeed<ImageBitmap>>>;
  private readonly measure: CanvasSize;
  private scene: Scene | null = null;
  private camera: Camera = { centre: { x: 0, y: 0 }, zoom: 1 };
  private zoomMode: ZoomMode = 'fit';
  /** Where one looked at each picture, for when its tab is shown again. */
  private readonly views = new Map<number, { readonly camera: Camera; readonly zoomMode: ZoomMode }>();
  private pattern: CanvasPattern | null = null;
  private colours: ViewportColours = {
    checkerLight: '#4a4b4e',
    checkerDark: '#3a3b3e',
    grid: 'rgb(128 128 128 / 40%)',
  };
  private hovered: Point | null = null;
  /** The original's pixels, while a difference is drawn. */
  private below: ImageData | null = null;
  private frame = 0;
  private timer = 0;
  private sequence = 0;
  private lastStatus: ViewStatus | null = null;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly events: ViewportEvents,
  ) {
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('this page has no 2-D canvas');
    this.context = context;
    const feed = (layer: Layer) =>
      new LayerFeed<ImageBitmap>(layer, this.cache, () => ++this.sequence, makeBitmap, {
        send: events.send,
        changed: () => this.schedule(),
        done: (message, exactTiles) => {
          if (exactTiles > 0) events.done(message);
        },
        failed: events.failed,
      });
    this.feeds = { result: feed('result'), original: feed('original') };
    this.measure = new CanvasSize(canvas, { resized: () => this.drawNow(), density: () => this.schedule() });
  }

  dispose(): void {
    this.measure.dispose();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.cache.clear();
  }

  setColours(colours: ViewportColours): void {
    this.colours = colours;
    this.pattern = null;
    this.schedule();
  }

  setScene(scene: Scene | null): void {
    const old = this.scene;
    this.scene = scene;
    if (scene === null || old?.imageId !== scene.imageId) {
      if (old !== null) this.views.set(old.imageId, { camera: this.camera, zoomMode: this.zoomMode });
      this.cache.keepOnly((source) => scene !== null && source === scene.original.source);
      for (const feed of Object.values(this.feeds)) feed.forget();
      this.hovered = null;
      if (scene !== null) {
        const centre = { x: scene.size.width / 2, y: scene.size.height / 2 };
        const view = this.views.get(scene.imageId) ?? { camera: { centre, zoom: this.fit() }, zoomMode: 'fit' };
        this.camera = view.camera;
        this.zoomMode = view.zoomMode;
      }
    }
    this.schedule();
  }

  /** A message of the pixel port. */
  receive(message: MainMessage): void {
    this.feeds[message.layer].receive(message);
  }

  /** Stops the computing of what is shown; what is on screen stays. */
  stop(): void {
    for (const feed of Object.values(this.feeds)) feed.stop();
  }

  /** Goes on with what was stopped. */
  resume(): void {
    for (const feed of Object.values(this.feeds)) feed.resume();
  }

  zoomToFit(): void {
    this.zoomMode = 'fit';
    this.schedule();
  }

  /** Zooms to `zoom` (device pixels a picture pixel) about a point in CSS pixels of the canvas, or its middle. */
  zoomTo(zoom: number, about?: Point): void {
    if (this.scene === null) return;
    const pointer = about === undefined ? this.middle() : this.toDevice(about);
    this.zoomMode = 'free';
    this.move(zoomAbout(this.camera, this.size, pointer, limitZoom(zoom, this.fit())));
  }

  zoomBy(factor: number, about?: Point): void {
    this.zoomTo(this.camera.zoom * factor, about);
  }

  zoomStep(direction: 1 | -1): void {
    this.zoomTo(zoomStep(this.camera.zoom, direction));
  }

  /** Fit where it is not, 100 % about the point where it is. */
  toggleFit(about: Point): void {
    if (this.zoomMode === 'fit') this.zoomTo(1, about);
    else this.zoomToFit();
  }

  /** Moves the picture by CSS pixels. */
  panBy(dx: number, dy: number): void {
    if (this.scene === null || (dx === 0 && dy === 0)) return;
    const moved = holdPicture(panBy(this.camera, dx * this.ratio, dy * this.ratio), this.size, this.scene.size);
    if (moved.centre.x === this.camera.centre.x && moved.centre.y === this.camera.centre.y) return;
    this.zoomMode = 'free';
    this.move(moved);
  }

  /** The picture pixel under a point in CSS pixels of the canvas, or null outside. Also frames it at high zoom. */
  hover(point: Point | null): Point | null {
    const at = point === null ? null : this.pixelAt(point);
    if (at?.x !== this.hovered?.x || at?.y !== this.hovered?.y) {
      this.hovered = at;
      if (this.camera.zoom >= pixelGridZoom) this.schedule();
    }
    return at;
  }

  private pixelAt(point: Point): Point | null {
    if (this.scene === null) return null;
    const at = screenToPicture(this.camera, this.size, this.toDevice(point));
    const x = Math.floor(at.x);
    const y = Math.floor(at.y);
    return x >= 0 && y >= 0 && x < this.scene.size.width && y < this.scene.size.height ? { x, y } : null;
  }

  private middle(): Point {
    return { x: this.size.width / 2, y: this.size.height / 2 };
  }

  private toDevice(point: Point): Point {
    return { x: point.x * this.ratio, y: point.y * this.ratio };
  }

  private fit(): number {
    return this.scene === null ? 1 : fitZoom(this.scene.size, this.size, fitMargin * this.ratio);
  }

  private move(camera: Camera): void {
    this.camera = camera;
    this.schedule();
  }

  private get size(): Size {
    return this.measure.size;
  }

  private get ratio(): number {
    return this.measure.ratio;
  }

  /** Not with the next frame: a resized canvas is blank until it is drawn. */
  private drawNow(): void {
    cancelAnimationFrame(this.frame);
    this.draw();
  }

  private schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  private view(subject: Subject, part: Rectangle): LayerView {
    const level = levelForZoom(this.camera.zoom);
    return {
      subject,
      level,
      levelSize: sizeAtLevel(subject.size, level),
      visible: visibleAtLevel(this.camera, this.size, subject.size, level, subject.origin, part),
    };
  }

  /** The drawn pixels, and a canvas that is empty again. */
  private takePixels(): ImageData {
    const { context, size } = this;
    const pixels = context.getImageData(0, 0, size.width, size.height);
    context.clearRect(0, 0, size.width, size.height);
    return pixels;
  }

  /** The views that are made of drawn pixels. */
  private changePixels(scene: Scene, compare: CompareMode): void {
    const { below } = this;
    this.below = null;
    const marked = scene.clipping && compare !== 'difference';
    if (below === null && !marked) return;
    const drawn = this.takePixels();
    if (below !== null) signedDifference(below.data, drawn.data, scene.differenceGain);
    if (marked) markClipped(drawn.data);
    this.context.putImageData(drawn, 0, 0);
  }

  private draw(): void {
    this.frame = 0;
    if (this.measure.follow()) this.pattern = null;
    if (!this.measure.measured) return;
    const { context, size, scene } = this;
    context.clearRect(0, 0, size.width, size.height);
    if (scene === null) {
      this.feeds.result.show(null);
      this.feeds.original.show(null);
      return;
    }
    const fit = this.fit();
    this.camera = holdPicture(
      this.zoomMode === 'fit'
        ? { ...this.camera, zoom: fit }
        : { ...this.camera, zoom: limitZoom(this.camera.zoom, fit) },
      size,
      scene.size,
    );
    const level = levelForZoom(this.camera.zoom);
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
        camera: this.camera,
        viewport: size,
        sheets: feed.paintOrder(),
        level,
        part,
      });
      // The original is below: what it drew becomes what the result is compared with.
      if (compare === 'difference' && layer === 'original') this.below = this.takePixels();
    }
    this.changePixels(scene, compare);
    clearTimeout(this.timer);
    if (wait !== null) this.timer = window.setTimeout(() => this.schedule(), wait + 1);
    if (scene.alpha) {
      this.pattern ??= checkerboardPattern(
        context,
        Math.round(8 * this.ratio),
        this.colours.checkerLight,
        this.colours.checkerDark,
      );
      if (this.pattern !== null) paintCheckerboard(context, this.pattern, this.camera, size, scene.size);
    }
    if (this.camera.zoom >= pixelGridZoom) {
      paintPixelGrid(context, this.camera, size, scene.size, this.colours.grid);
      if (this.hovered !== null) paintPixelFrame(context, this.camera, size, this.hovered.x, this.hovered.y);
    }
    const { original, result } = this.feeds;
    // A difference is exact when both are.
    const waits = compare === 'difference' && original.state !== 'exact';
    this.report(waits || compare === 'original' ? original : result);
  }

  private report(feed: LayerFeed<ImageBitmap>): void {
    const status: ViewStatus = {
      state: feed.state,
      busy: feed.busy,
      share: feed.share,
      failed: feed.failed,
      stopped: feed.stopped,
      zoom: this.camera.zoom,
      zoomMode: this.zoomMode,
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
