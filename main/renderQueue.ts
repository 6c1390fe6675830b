// Serves one page's render requests. Each layer has one request running and at most one waiting, and the newest wins: a
// draft first when asked and the exact picture would take longer, so that a moving slider always shows something, then the exact
// tiles from the middle of the view outwards, never more of them under way than the page can take in.

import { ConvolveError, failureOf } from '../core/errors';
import { type Rectangle, sizeAtLevel } from '../core/geometry';
import type { RenderCounts } from '../core/ipc';
import type { Pass } from '../core/pass';
import { type Layer, type MainMessage, type RenderRequest, type TilesMessage, tileSize } from '../core/pixelPort';
import type { OpenPictures, Picture } from './images';
import type { PreparedStack, Renderer } from './render';
import { ReusedMemory } from './reusedMemory';
import { comesAsSoon, draftLevelFor, type MaskRequest, missingPart, toCoarser } from './viewDrafts';
import { piecesOfView } from './viewPieces';

/**
 * Messages of tiles sent but not yet acknowledged: a page takes each in within a few milliseconds; four keep the engine and
 * the port both busy and bound what a newer request must wait behind.
 */
export const maximumMessagesInFlight = 4;

/**
 * Most pixels of a message. Larger ones come no sooner, and nothing is computed while they are copied; each smaller one costs
 * the same again.
 */
export const messagePixels = 2 ** 18;
/**
 * The same of kernels that reach further than a tile: pieces of the usual size would compute more of their neighbours' pixels
 * than of their own.
 */
export const farMessagePixels = 2 ** 22;
/** What a message is predicted to be computed in at most, in ms, unless it is one tile: slow views appear bit by bit. */
const messageMilliseconds = 50;

interface Running {
  readonly request: RenderRequest;
  readonly controller: AbortController;
  /** Drafts finish even when a newer request waits; else a fast drag would never show one. */
  phase: 'draft' | 'exact';
  messagesInFlight: number;
  wake: (() => void) | null;
}

interface Lane {
  running: Running | null;
  waiting: RenderRequest | null;
}

/** Whether a pass looks at more than a tile around each pixel. */
function reachesFar(passes: readonly Pass[]): boolean {
  return passes.some(({ work }) => 'weights' in work && Math.max(work.weights.width, work.weights.height) > tileSize);
}

/** How many tiles of the grid a rectangle is made of. */
const tilesOf = ({ x, y, width, height }: Rectangle) =>
  (Math.ceil((x + width) / tileSize) - Math.floor(x / tileSize)) *
  (Math.ceil((y + height) / tileSize) - Math.floor(y / tileSize));

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
  private readonly memory = new ReusedMemory();

  constructor(
    private readonly pictures: OpenPictures,
    private readonly renderer: Renderer,
    /** Answers true where nobody reads the message's pixels any more. */
    private readonly send: (message: MainMessage) => boolean,
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

  /** The page took in a message of tiles of this request. */
  tilesReceived(sequence: number): void {
    for (const { running } of Object.values(this.lanes)) {
      if (!running || running.request.sequence !== sequence || running.messagesInFlight === 0) continue;
      running.messagesInFlight -= 1;
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
    const running: Running = { request, controller, phase: 'exact', messagesInFlight: 0, wake: null };
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
    if (await comesAsSoon(this.renderer, picture, request)) return;
    running.phase = 'draft';
    const level = draftLevelFor(request);
    const prepared = await this.prepare(picture, running, level, []);
    const view = toCoarser(request.visible, level - request.level);
    const { crop = false } = request;
    const pieces = piecesOfView(view, prepared.size, new Set(), { pixels: messagePixels, crop });
    await this.sendTiles(prepared, { quality: 'draft', level }, pieces, running);
    running.phase = 'exact';
  }

  private async sendExact(picture: Picture, running: Running, have: readonly number[]): Promise<void> {
    const { request } = running;
    const { sequence, layer, level, visible, crop = false } = request;
    const started = performance.now();
    const prepared = await this.prepare(picture, running, null, have);
    const resultSize = sizeAtLevel(prepared.size, level);
    const { backend } = prepared;
    let milliseconds = performance.now() - started;
    const inTime = (messageMilliseconds * 1e6) / (this.renderer.expect(prepared) * 4 ** level);
    const most = reachesFar(prepared.passes) ? farMessagePixels : messagePixels;
    const pieces = piecesOfView(visible, resultSize, new Set(have), { pixels: Math.min(most, inTime), crop });
    milliseconds += await this.sendTiles(prepared, { quality: 'exact', level }, pieces, running);
    this.send({ kind: 'done', sequence, layer, backend, milliseconds, resultSize });
  }

  /** What the request shows; as a draft at a level where there is one. */
  private prepare(
    picture: Picture,
    { request, controller }: Running,
    draft: number | null,
    have: readonly number[],
  ): Promise<PreparedStack> {
    const { signal } = controller;
    if (request.layer === 'mask') return this.prepareMask(picture, { ...request, have }, draft, signal);
    const stack = request.layer === 'original' ? [] : request.stack;
    if (draft !== null) return this.renderer.prepareDraft(picture, stack, draft, signal);
    return this.renderer.prepareView(picture, stack, signal);
  }

  private prepareMask(picture: Picture, request: MaskRequest, draft: number | null, signal: AbortSignal) {
    const { stack, level } = request;
    if (draft !== null) return this.renderer.prepareMask(picture, stack, draft, signal);
    return this.renderer.prepareMaskPart(picture, stack, missingPart(picture, request), level, signal);
  }

  /** Computes pieces of a view and sends each, the next one under way; answers the milliseconds of the engine. */
  private async sendTiles(
    prepared: PreparedStack,
    what: Pick<TilesMessage, 'quality' | 'level'>,
    pieces: readonly Rectangle[],
    running: Running,
  ): Promise<number> {
    const { sequence, layer } = running.request;
    const { channels } = prepared.image;
    const level = what.quality === 'draft' ? 0 : what.level;
    let milliseconds = 0;
    let next = this.compute(prepared, level, pieces[0], running);
    for (const [index, rectangle] of pieces.entries()) {
      const made = await next;
      if (made === null) break;
      milliseconds += made.milliseconds;
      running.messagesInFlight += 1;
      next = this.compute(prepared, level, pieces[index + 1], running);
      // Cancelled, it is not awaited.
      next.catch(() => undefined);
      this.tally[what.quality === 'draft' ? 'draftTiles' : 'exactTiles'] += tilesOf(rectangle);
      const { pixels } = made;
      const free = this.send({ kind: 'tiles', sequence, layer, ...what, rectangle, channels, pixels });
      if (free) this.memory.giveBack(pixels);
    }
    return milliseconds;
  }

  /** A piece of a view, once there is room for its message; null for none. */
  private async compute(prepared: PreparedStack, level: number, region: Rectangle | undefined, running: Running) {
    if (region === undefined) return null;
    const { signal } = running.controller;
    // Where there is room it starts at once, before the piece before it is copied into its message.
    if (running.messagesInFlight >= maximumMessagesInFlight || signal.aborted) await this.roomForMessage(running);
    const pixels = this.memory.take(region.width * region.height * prepared.image.channels);
    const started = performance.now();
    await this.renderer.run(prepared, { region, level }, pixels, signal);
    // A newer request may have come while the last instruction ran; its tiles must not follow an older one's.
    if (signal.aborted) throw new ConvolveError({ code: 'cancelled' });
    return { pixels, milliseconds: performance.now() - started };
  }

  private async roomForMessage(running: Running): Promise<void> {
    const { signal } = running.controller;
    while (!signal.aborted && running.messagesInFlight >= maximumMessagesInFlight)
      await new Promise<void>((resolve) => {
        running.wake = resolve;
      });
    running.wake = null;
    if (signal.aborted) throw new ConvolveError({ code: 'cancelled' });
  }
}
