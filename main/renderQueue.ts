// Serves one page's render requests. Each layer has one request running and at most one waiting, and the newest wins: a
// draft first when asked, so that a moving slider always shows something, then the exact tiles from the middle of the view
// outwards, never more of them under way than the page can take in.

import { ConvolveError, failureOf } from '../core/errors';
import { intersect, type Rectangle, type Size, sizeAtLevel } from '../core/geometry';
import type { RenderCounts } from '../core/ipc';
import { type Layer, type MainMessage, maximumLevel, type RenderRequest, tileSize } from '../core/pixelPort';
import type { OpenPictures, Picture } from './images';
import type { PreparedStack, Renderer } from './render';

/**
 * Tiles sent but not yet acknowledged. Each is 64 to 256 kB, which a page takes in within a few milliseconds; four keep
 * the engine and the port both busy and bound what a newer request must wait behind.
 */
export const maximumTilesInFlight = 4;

/** Most pixels of a draft: below it, computing and sending stay well under the 100 ms that a drag forgives. */
export const draftPixels = 300_000;

interface Running {
  readonly request: RenderRequest;
  readonly controller: AbortController;
  /** Drafts finish even when a newer request waits; else a fast drag would never show one. */
  phase: 'draft' | 'exact';
  tilesInFlight: number;
  wake: (() => void) | null;
}

interface Lane {
  running: Running | null;
  waiting: RenderRequest | null;
}

/** Tiles of the grid that `visible` touches, nearest to its middle first, without those the page already has. */
export function tilesInView(visible: Rectangle, size: Size, have: ReadonlySet<number>): readonly Rectangle[] {
  const view = intersect(visible, { x: 0, y: 0, ...size });
  if (view.width === 0 || view.height === 0) return [];
  const columns = Math.ceil(size.width / tileSize);
  const middleX = view.x + view.width / 2;
  const middleY = view.y + view.height / 2;
  const found: { readonly rectangle: Rectangle; readonly distance: number }[] = [];
  for (let row = Math.floor(view.y / tileSize); row * tileSize < view.y + view.height; row += 1)
    for (let column = Math.floor(view.x / tileSize); column * tileSize < view.x + view.width; column += 1) {
      if (have.has(row * columns + column)) continue;
      const x = column * tileSize;
      const y = row * tileSize;
      const rectangle = intersect({ x, y, width: tileSize, height: tileSize }, { x: 0, y: 0, ...size });
      const distance = Math.hypot(x + rectangle.width / 2 - middleX, y + rectangle.height / 2 - middleY);
      found.push({ rectangle, distance });
    }
  return found.sort((a, b) => a.distance - b.distance).map((tile) => tile.rectangle);
}

/** The finest level, at least 1 and not finer than asked, at which the view has few enough pixels for a draft. */
export function draftLevelFor(request: Pick<RenderRequest, 'level' | 'visible'>): number {
  const { width, height } = request.visible;
  for (let level = Math.max(1, request.level); level < maximumLevel; level += 1) {
    const scale = 2 ** (level - request.level);
    if ((width / scale) * (height / scale) <= draftPixels) return level;
  }
  return maximumLevel;
}

/** A rectangle of one level in the pixels of a coarser one, grown to whole pixels. */
function toCoarser(rectangle: Rectangle, levels: number): Rectangle {
  const scale = 2 ** levels;
  const x = Math.floor(rectangle.x / scale);
  const y = Math.floor(rectangle.y / scale);
  return {
    x,
    y,
    width: Math.ceil((rectangle.x + rectangle.width) / scale) - x,
    height: Math.ceil((rectangle.y + rectangle.height) / scale) - y,
  };
}

export const noCounts: RenderCounts = {
  ...{ started: 0, superseded: 0, cancelled: 0, finished: 0, failed: 0 },
  ...{ draftTiles: 0, exactTiles: 0, mostRunning: 0 },
};

export class RenderQueue {
  private readonly lanes: Readonly<Record<Layer, Lane>> = {
    result: { running: null, waiting: null },
    original: { running: null, waiting: null },
    mask: { running: null, waiting: null },
  };
  private tally = { ...noCounts };
  private readonly running: Record<Layer, number> = { result: 0, original: 0, mask: 0 };
  private closed = false;

  constructor(
    private readonly pictures: OpenPictures,
    private readonly renderer: Renderer,
    private readonly send: (message: MainMessage) => void,
  ) {}

  counts(): RenderCounts {
    return { ...this.tally };
  }

  /** Takes a request over whatever the layer is doing or about to do. */
  request(request: RenderRequest): void {
    if (this.closed) return;
    const lane = this.lanes[request.layer];
    const newest = lane.waiting ?? lane.running?.request;
    if (newest && request.sequence <= newest.sequence) {
      this.tally.superseded += 1;
      return;
    }
    if (lane.waiting) this.tally.superseded += 1;
    lane.waiting = request;
    if (!lane.running) this.startNext(lane);
    else if (lane.running.phase === 'exact' || lane.running.wake) lane.running.controller.abort();
  }

  /** The page took in a tile of this request. */
  tileReceived(sequence: number): void {
    for (const { running } of Object.values(this.lanes)) {
      if (!running || running.request.sequence !== sequence || running.tilesInFlight === 0) continue;
      running.tilesInFlight -= 1;
      running.wake?.();
      return;
    }
  }

  /** Stops the layer's work up to this request; each request that ends so is told to the page as cancelled. */
  cancel(layer: Layer, sequence: number): void {
    const lane = this.lanes[layer];
    if (lane.waiting && lane.waiting.sequence <= sequence) {
      this.tally.superseded += 1;
      this.send({ kind: 'failed', sequence: lane.waiting.sequence, layer, failure: { code: 'cancelled' } });
      lane.waiting = null;
    }
    if (lane.running && lane.running.request.sequence <= sequence) lane.running.controller.abort();
  }

  /** Stops everything; the page is gone. */
  close(): void {
    this.closed = true;
    for (const lane of Object.values(this.lanes)) {
      lane.waiting = null;
      lane.running?.controller.abort();
    }
  }

  private startNext(lane: Lane): void {
    const request = lane.waiting;
    lane.waiting = null;
    if (!request) return;
    const controller = new AbortController();
    const running: Running = { request, controller, phase: 'exact', tilesInFlight: 0, wake: null };
    controller.signal.addEventListener('abort', () => running.wake?.());
    lane.running = running;
    this.tally.started += 1;
    void this.serve(lane, running).finally(() => {
      lane.running = null;
      this.startNext(lane);
    });
  }

  /** Never rejects: whatever goes wrong becomes a message, unless a newer request is the reason. */
  private async serve(lane: Lane, running: Running): Promise<void> {
    const { request } = running;
    const { sequence, layer } = request;
    this.running[layer] += 1;
    this.tally.mostRunning = Math.max(this.tally.mostRunning, this.running[layer]);
    try {
      await this.pictures.use(request.imageId, async (picture) => {
        if (request.draft) await this.renderer.steadily(() => this.sendDraft(picture, running));
        if (lane.waiting) throw new ConvolveError({ code: 'cancelled' });
        // What the page has is of no use once a device has failed: the tiles are another backend's then.
        await this.renderer.steadily((attempt) => this.sendExact(picture, running, attempt === 0 ? request.have : []));
      });
      this.tally.finished += 1;
    } catch (thrown) {
      const failure = failureOf(thrown);
      const cancelled = failure.code === 'cancelled';
      if (cancelled) this.tally.cancelled += 1;
      else this.tally.failed += 1;
      if (cancelled && (lane.waiting || this.closed)) return;
      this.send({ kind: 'failed', sequence, layer, failure });
    } finally {
      this.running[layer] -= 1;
    }
  }

  private async sendDraft(picture: Picture, running: Running): Promise<void> {
    const { request } = running;
    const { sequence, layer } = request;
    running.phase = 'draft';
    const level = draftLevelFor(request);
    const prepared = await this.prepare(picture, running, level);
    const view = toCoarser(request.visible, level - request.level);
    for (const rectangle of tilesInView(view, prepared.size, new Set())) {
      const { pixels } = await this.renderTile(prepared, rectangle, 0, running);
      this.tally.draftTiles += 1;
      this.send({
        kind: 'tile',
        sequence,
        layer,
        quality: 'draft',
        level,
        rectangle,
        channels: prepared.image.channels,
        pixels,
      });
    }
    running.phase = 'exact';
  }

  private async sendExact(picture: Picture, running: Running, have: readonly number[]): Promise<void> {
    const { request } = running;
    const { sequence, layer, level } = request;
    const started = performance.now();
    const prepared = await this.prepare(picture, running, null);
    const resultSize = sizeAtLevel(prepared.size, level);
    const { backend } = prepared;
    let milliseconds = performance.now() - started;
    for (const rectangle of tilesInView(request.visible, resultSize, new Set(have))) {
      const tile = await this.renderTile(prepared, rectangle, level, running);
      milliseconds += tile.milliseconds;
      this.tally.exactTiles += 1;
      this.send({
        kind: 'tile',
        sequence,
        layer,
        quality: 'exact',
        level,
        rectangle,
        channels: prepared.image.channels,
        pixels: tile.pixels,
      });
    }
    this.send({ kind: 'done', sequence, layer, backend, milliseconds, resultSize });
  }

  /** What the request shows; as a draft at a level where there is one. */
  private prepare(picture: Picture, { request, controller }: Running, draft: number | null): Promise<PreparedStack> {
    const { signal } = controller;
    if (request.layer === 'mask') return this.renderer.prepareMask(picture, request.stack, draft ?? 0, signal);
    const stack = request.layer === 'original' ? [] : request.stack;
    if (draft !== null) return this.renderer.prepareDraft(picture, stack, draft, signal);
    return this.renderer.prepareView(picture, stack, signal);
  }

  private async renderTile(prepared: PreparedStack, region: Rectangle, level: number, running: Running) {
    await this.roomForTile(running);
    const pixels = new Uint8Array(region.width * region.height * prepared.image.channels);
    const started = performance.now();
    await this.renderer.run(prepared, { region, level }, pixels, running.controller.signal);
    // A newer request may have come while the last instruction ran; its tile must not follow an older one's.
    if (running.controller.signal.aborted) throw new ConvolveError({ code: 'cancelled' });
    running.tilesInFlight += 1;
    return { pixels, milliseconds: performance.now() - started };
  }

  private async roomForTile(running: Running): Promise<void> {
    const { signal } = running.controller;
    while (!signal.aborted && running.tilesInFlight >= maximumTilesInFlight)
      await new Promise<void>((resolve) => {
        running.wake = resolve;
      });
    running.wake = null;
    if (signal.aborted) throw new ConvolveError({ code: 'cancelled' });
  }
}
