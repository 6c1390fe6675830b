// The imperative canvas: tiles and drawing, one frame at a time, of what is in sight. React mounts it and tells it the
// scene; pixels never pass through React.

import type { Failure } from '../../core/errors';
import type { Rectangle, Size } from '../../core/geometry';
import type { MainMessage, PageMessage, RenderDoneMessage, ScreenSpace } from '../../core/pixelPort';
import { CanvasSize } from './canvasSize';
import type { CanvasPlace, CanvasTool } from './canvasTool';
import type { CompareMode } from './compare';
import { checkerboardPattern, paintCheckerboard, paintLayer, paintPixelFrame, paintPixelGrid } from './drawing';
import { levelForZoom, type Point, pixelGridZoom } from './geometry';
import { markClipped, paintSigned, signedDifference } from './pixelViews';
import { compareOf, partsOf, type Scene } from './scene';
import { comparedLayers, SceneTiles, type TilesStatus } from './sceneTiles';
import { Sight, type ZoomMode } from './sight';
import { canvasSpaces } from './tileBitmap';

export interface ViewStatus extends TilesStatus {
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

/** Whether two scenes of a picture differ in nothing but what is to be computed. */
const isSeenAlike = (a: Scene, b: Scene) =>
  compareOf(a) === compareOf(b) &&
  a.mask?.stack[0]?.id === b.mask?.stack[0]?.id &&
  (['split', 'splitDirection', 'differenceGain', 'clipping', 'signed'] as const).every((key) => a[key] === b[key]);

/** Longest that tiles wait for others of their view before they are drawn, in ms: each frame keeps all others waiting. */
const gatherTime = 50;

export class Viewport {
  private readonly context: CanvasRenderingContext2D;
  private readonly tiles: SceneTiles;
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
  /** Whether the next frame shows anything else than the last one. */
  private stale = true;
  private timer = 0;
  private gathering = 0;
  private lastStatus: ViewStatus | null = null;
  private lastPlace: CanvasPlace | null = null;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly events: ViewportEvents,
    /** The colours that the screen can show; the canvas's for as long as it lives. */
    screen: ScreenSpace,
  ) {
    const context = canvas.getContext('2d', { colorSpace: canvasSpaces[screen] });
    if (context === null) throw new Error('this page has no 2-D canvas');
    this.context = context;
    const { send, done, failed } = events;
    this.tiles = new SceneTiles(screen, {
      ...{ send, done, failed },
      changed: () => this.follow(),
      arrived: (whole) => (whole ? this.redraw() : this.gather()),
    });
    this.measure = new CanvasSize(canvas, { resized: () => this.drawNow(), density: () => this.redraw() });
    this.sight = new Sight(this.measure, () => this.redraw());
  }

  dispose(): void {
    this.measure.dispose();
    cancelAnimationFrame(this.nextFrame);
    clearTimeout(this.timer);
    clearTimeout(this.gathering);
    this.tiles.dispose();
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
      this.tiles.startOver(scene);
      this.framed = null;
    } else if (this.measure.measured) {
      // Main works while the page still draws its panels. What is seen stays until something newer comes.
      this.tiles.ask(scene, this.sight.camera, this.size);
      if (!isSeenAlike(old, scene) || this.tiles.holds(scene)) this.stale = true;
      this.follow();
      return;
    }
    this.redraw();
  }

  /** A message of the pixel port. */
  receive(message: MainMessage): void {
    this.tiles.receive(message);
  }

  /** Stops the computing of what is shown; what is on screen stays. */
  stop(): void {
    this.tiles.stop();
  }

  /** Goes on with what was stopped. */
  resume(): void {
    this.tiles.resume();
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
    this.stale = true;
    this.draw();
  }

  /** Draws with the next frame. */
  redraw(): void {
    this.stale = true;
    this.follow();
  }

  /** Draws soon. */
  private gather(): void {
    this.gathering ||= window.setTimeout(() => this.redraw(), gatherTime);
  }

  /** Asks for what is missing, and tells how things stand, with the next frame; draws where something changed. */
  private follow(): void {
    if (this.nextFrame === 0) this.nextFrame = requestAnimationFrame(() => this.draw());
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
    if (this.measure.follow()) {
      this.pattern = null;
      this.stale = true;
    }
    if (!this.measure.measured) return;
    const { context, size, scene } = this;
    this.sight.hold();
    const { camera } = this.sight;
    const wait = this.tiles.ask(scene, camera, size);
    clearTimeout(this.timer);
    if (wait !== null) this.timer = window.setTimeout(() => this.follow(), wait + 1);
    if (scene !== null) this.report({ ...this.tiles.status(scene), zoom: camera.zoom, zoomMode: this.sight.zoomMode });
    if (!this.stale) return;
    this.stale = false;
    clearTimeout(this.gathering);
    this.gathering = 0;
    context.clearRect(0, 0, size.width, size.height);
    if (scene === null) return;
    this.paint(scene);
    this.reportPlace();
  }

  private paint(scene: Scene): void {
    const { context, size } = this;
    const { camera } = this.sight;
    const compare = compareOf(scene);
    const parts = partsOf(scene, size);
    for (const layer of comparedLayers) {
      const part = parts[layer];
      const sheets = this.tiles.feeds[layer].paintOrder();
      paintLayer(context, this.tiles.cache, {
        ...{ camera, viewport: size, sheets, level: levelForZoom(camera.zoom), part },
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
    this.tiles.overlay.paint(context, camera, size);
    if (camera.zoom >= pixelGridZoom) {
      paintPixelGrid(context, camera, size, scene.size, this.colours.grid);
    }
    if (this.framed !== null && (this.marked || camera.zoom >= pixelGridZoom)) {
      paintPixelFrame(context, this.sight.place, this.framed);
    }
    this.tool?.paint(context, this.sight.place);
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

  private report(status: ViewStatus): void {
    const last = this.lastStatus;
    const fields = Object.keys(status) as (keyof ViewStatus)[];
    if (last !== null && fields.every((field) => last[field] === status[field])) return;
    this.lastStatus = status;
    this.events.status(status);
  }
}
