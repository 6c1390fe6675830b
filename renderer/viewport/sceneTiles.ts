// The tiles of a scene: what of the result, the original and the mask is asked of main, and what of them is there to be drawn.

import { type Rectangle, type Size, sizeAtLevel } from '../../core/geometry';
import type { MainMessage, PageMessage, RenderDoneMessage, ScreenSpace } from '../../core/pixelPort';
import { MaskOverlay } from '../mask/maskOverlay';
import { type Camera, levelForZoom, visibleAtLevel } from './geometry';
import { type FeedEvents, LayerFeed, type LayerState, type LayerView, type Subject } from './layerFeed';
import { compareOf, partsOf, type Scene } from './scene';
import { resultChange } from './subject';
import { TileCache, touches } from './tileCache';
import { TileThread } from './tileThread';

/** Bytes of tiles kept; a 4K screen at the worst zoom shows about 270 MB of them in both layers together. */
const tileBudget = 384 * 2 ** 20;
/** Stacks whose tiles are kept: the opened picture, what is shown, and a few that undo or a slow change comes back to. */
const keptSources = 7;

/** Of the last request of this page: main takes one that is not newer for a late one, whichever viewport it is of. */
let lastSequence = 0;

/** The pictures that a scene compares. */
export const comparedLayers = ['original', 'result'] as const;
export type ComparedLayer = (typeof comparedLayers)[number];

export interface TilesStatus {
  readonly state: LayerState;
  /** True while main still works on what is shown. */
  readonly busy: boolean;
  /** Share of the visible tiles that are exact. */
  readonly share: number;
  readonly failed: boolean;
  readonly stopped: boolean;
}

interface TilesEvents extends Omit<FeedEvents, 'done'> {
  /** A request ended, and tiles of it travelled. */
  readonly done: (message: RenderDoneMessage) => void;
}

/** The soonest of two times to look again, null for never. */
const sooner = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b));

export class SceneTiles {
  readonly cache = new TileCache<ImageBitmap>(tileBudget, keptSources, (bitmap) => bitmap.close());
  readonly feeds: Readonly<Record<ComparedLayer, LayerFeed<ImageBitmap>>>;
  readonly overlay: MaskOverlay;
  private readonly thread = new TileThread<ImageBitmap>(
    () => new Worker(new URL('./tiles.worker.ts', import.meta.url), { type: 'module' }),
  );
  /** The result that was asked for last. */
  private lastResult: Subject | null = null;

  /** `screen`: the colours that the tiles are made for. */
  constructor(screen: ScreenSpace, events: TilesEvents) {
    const nextSequence = () => ++lastSequence;
    const { failed, changed, arrived } = events;
    const send = (message: PageMessage) => events.send(message.kind === 'render' ? { ...message, screen } : message);
    const done = (message: RenderDoneMessage, exact: boolean) => {
      if (exact) events.done(message);
    };
    const feed = (layer: ComparedLayer) =>
      new LayerFeed<ImageBitmap>(layer, this.cache, nextSequence, this.thread.make, {
        ...{ send, changed, arrived, done, failed },
      });
    this.feeds = { result: feed('result'), original: feed('original') };
    this.overlay = new MaskOverlay(nextSequence, { send, failed, changed, arrived });
  }

  dispose(): void {
    this.thread.dispose();
    this.cache.clear();
    this.overlay.dispose();
  }

  /** Another picture, or none, is shown from now on. */
  startOver(scene: Scene | null): void {
    this.cache.keepOnly((source) => scene !== null && source === scene.original.source);
    for (const feed of Object.values(this.feeds)) feed.forget();
    this.lastResult = null;
  }

  /** Asks for what is in sight and not there; answers in how many ms to ask again, or null. */
  ask(scene: Scene | null, camera: Camera, size: Size): number | null {
    const now = performance.now();
    const parts = scene === null ? null : partsOf(scene, size);
    let wait: number | null = null;
    for (const layer of comparedLayers) {
      const part = parts?.[layer] ?? null;
      const seen = scene !== null && part !== null && part.width > 0 && part.height > 0;
      if (seen && layer === 'result') this.handOver(scene.result);
      this.feeds[layer].show(seen ? this.view(scene[layer], camera, size, part) : null);
      wait = sooner(wait, this.feeds[layer].pump(now));
    }
    return sooner(wait, this.overlay.ask(scene?.mask ?? null, camera, size, now));
  }

  /** Whether there may be anything yet of what the scene shows as its result or its mask. */
  holds({ result, mask }: Scene): boolean {
    return this.cache.holds(result.source) || (mask !== null && this.overlay.holds(mask));
  }

  /** A message of the pixel port. */
  receive(message: MainMessage): void {
    if (message.layer === 'mask') this.overlay.receive(message);
    else this.feeds[message.layer].receive(message);
  }

  /** Stops the computing of what is shown; what is there stays. */
  stop(): void {
    for (const feed of this.all) feed.stop();
  }

  /** Goes on with what was stopped. */
  resume(): void {
    for (const feed of this.all) feed.resume();
  }

  status(scene: Scene): TilesStatus {
    const { original, result } = this.feeds;
    const compare = compareOf(scene);
    // A difference is exact when both are.
    const first = compare === 'original' || (compare === 'difference' && original.state !== 'exact');
    const { state, share, failed, busy, stopped } = first ? original : result;
    return { state, share, failed, busy: busy || this.overlay.busy, stopped: stopped || this.overlay.stopped };
  }

  /** What a stroke of a mask leaves as it was is not computed again. */
  private handOver(after: Subject): void {
    const before = this.lastResult;
    this.lastResult = after;
    if (before === null || before.source === after.source) return;
    const change = resultChange(before, after);
    if (change !== null) this.cache.handOver(before.source, after.source, (tile) => !touches(tile, change));
  }

  private get all() {
    return [...Object.values(this.feeds), this.overlay];
  }

  private view(subject: Subject, camera: Camera, size: Size, part: Rectangle): LayerView {
    const level = levelForZoom(camera.zoom);
    return {
      subject,
      level,
      levelSize: sizeAtLevel(subject.size, level),
      visible: visibleAtLevel(camera, size, subject.size, level, subject.origin, part),
    };
  }
}
