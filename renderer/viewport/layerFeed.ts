// Asks main for one layer's tiles and takes them in: newest wins, never an old stack's tile over a new one's, and no more
// requests than the picture can follow. Pure but for the functions it is given.

import type { Stack } from '../../core/document';
import type { Failure } from '../../core/errors';
import { intersect, type Rectangle, type Size } from '../../core/geometry';
import type {
  Layer,
  MainMessage,
  PageMessage,
  RenderDoneMessage,
  RenderFailedMessage,
  TilesMessage,
} from '../../core/pixelPort';
import { Turns } from '../threads/turns';
import { type Point, tilesIn } from './geometry';
import type { SheetName, TileCache } from './tileCache';
import type { MadeTile, MakeTiles, NotMade } from './tileMaking';

/** Longest wait for the draft of the request before, in ms: a drag shows each step, yet a slow step cannot hold it up. */
const draftPatience = 500;
/** Longest wait for the request before when only the view moved, in ms. */
const movePatience = 120;
/** Engine time in ms from which a view that moves over a known stack asks for a draft first. */
const slowRender = 100;
/** How many stacks that were shown before stay under the new one until its tiles are there. */
const maximumBackdrops = 4;

/** A picture that can be drawn: its tiles' source, its full size, and where its (0, 0) lies in the opened picture. */
export interface Subject {
  readonly source: string;
  readonly imageId: number;
  readonly stack: Stack;
  readonly size: Size;
  readonly origin: Point;
  /** The engine that was chosen for a result: another one's tiles may differ by a rounding. */
  readonly engine?: string;
  /** True where its pixels are numbers to be read, not colours. */
  readonly numbers?: boolean;
}

/** What of a subject is to be on screen: `visible` in pixels of `level`, `levelSize` the subject's size there. */
export interface LayerView {
  readonly subject: Subject;
  readonly level: number;
  readonly levelSize: Size;
  readonly visible: Rectangle;
}

/** nothing: no tile yet. draft: not every visible tile is exact. exact: what an export would hold. */
export type LayerState = 'nothing' | 'draft' | 'exact';

/** One sheet of tiles to draw, bottom first. */
export interface PaintSheet {
  readonly sheet: SheetName;
  readonly subject: Subject;
}

export interface FeedEvents {
  readonly send: (message: PageMessage) => void;
  /** Something else is to be told of the layer; what is to be seen is the same. */
  readonly changed: () => void;
  /** Tiles have come; `whole`: the last of a draft or of the exact view. */
  readonly arrived: (whole: boolean) => void;
  /** A request ended; `exact` is whether tiles of it travelled. */
  readonly done: (message: RenderDoneMessage, exact: boolean) => void;
  readonly failed: (failure: Failure) => void;
}

interface Asked {
  readonly sequence: number;
  readonly view: LayerView;
  readonly draft: boolean;
  readonly sentAt: number;
  /** Area of `visible` that was there, or that tiles of this request have covered, in pixels of its level. */
  covered: number;
  /** Whether an exact tile has come. */
  exact: boolean;
  finished: boolean;
}

const sameRectangle = (a: Rectangle, b: Rectangle) =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
const sameView = (a: LayerView, b: LayerView) =>
  a.subject.source === b.subject.source && a.level === b.level && sameRectangle(a.visible, b.visible);

export class LayerFeed<Bitmap> {
  private view: LayerView | null = null;
  private asked: Asked | null = null;
  private backdrops: readonly Subject[] = [];
  private failedSource: string | null = null;
  /** The view whose computing the person stopped; another view is computed again. */
  private stoppedView: LayerView | null = null;
  private lastMilliseconds = 0;
  /** Source of each request that may still be answered. */
  private readonly sources = new Map<number, string>();
  /** What main sent is taken in as it came, though tiles take their time to be made. */
  private readonly turns = new Turns();

  constructor(
    readonly layer: Layer,
    private readonly cache: TileCache<Bitmap>,
    private readonly nextSequence: () => number,
    private readonly makeTiles: MakeTiles<Bitmap>,
    private readonly events: FeedEvents,
  ) {}

  /** Says what is to be on screen; `null` when this layer is not shown. Nothing is sent before `pump`. */
  show(view: LayerView | null): void {
    const old = this.view;
    if (view !== null && old !== null && old.subject.source !== view.subject.source) {
      const kept = this.backdrops.filter(
        (subject) => subject.source !== view.subject.source && subject.source !== old.subject.source,
      );
      this.backdrops =
        old.subject.imageId === view.subject.imageId ? [...kept, old.subject].slice(-maximumBackdrops) : [];
    }
    if (view !== null && view.subject.source !== this.failedSource) this.failedSource = null;
    if (this.stoppedView !== null && (view === null || !sameView(this.stoppedView, view))) {
      this.stoppedView = null;
      // What was stopped is asked for again when it is to be shown again.
      this.asked = null;
    }
    this.view = view;
  }

  /** Asks anew for what is to be shown: its tiles have been let go. */
  forget(): void {
    this.asked = null;
    this.backdrops = [];
  }

  /** Sends a request when one is due; called at most once a frame. Answers in how many ms to look again, or null. */
  pump(now: number): number | null {
    const view = this.view;
    if (view === null || view.visible.width === 0) return null;
    const asked = this.asked;
    if (this.stoppedView !== null || (asked !== null && sameView(asked.view, view))) return null;
    if (view.subject.source === this.failedSource) return null;
    const { have, missing } = this.inventory(view);
    const running = asked !== null && !asked.finished;
    const sameSource = asked !== null && asked.view.subject.source === view.subject.source;
    // All there, and nothing running that should make way.
    if (missing === 0 && (!running || sameSource)) return null;
    if (running) {
      const patience = sameSource && asked.view.level === view.level ? movePatience : draftPatience;
      const shown = asked.draft ? isCovered(asked) : asked.exact;
      const mayPass = sameSource && asked.view.level === view.level ? false : shown;
      const waited = now - asked.sentAt;
      if (!mayPass && waited < patience) return patience - waited;
    }
    const settled = missing === 0;
    const draft = this.layer !== 'original' && !settled && (!this.isKnown(view) || this.lastMilliseconds > slowRender);
    this.ask(view, have, draft, now);
    return null;
  }

  /** Stops what is under way for what is to be shown; what is on screen stays. */
  stop(): void {
    if (!this.busy || this.asked === null) return;
    this.stoppedView = this.view;
    // At once, not when main answers: from here on nothing is awaited.
    this.asked.finished = true;
    this.events.send({ kind: 'cancel', sequence: this.asked.sequence, layer: this.layer });
    this.events.changed();
  }

  /** Computes what was stopped. */
  resume(): void {
    if (this.stoppedView === null) return;
    this.stoppedView = null;
    this.asked = null;
    this.events.changed();
  }

  receive(message: MainMessage): void {
    const inTurn = this.turns.next();
    if (message.kind !== 'tiles') inTurn(() => this.end(message));
    else if (!this.isWanted(message.sequence)) inTurn(() => this.acknowledge(message));
    else {
      const { rectangle } = message;
      const end = { width: rectangle.x + rectangle.width, height: rectangle.y + rectangle.height };
      const places = tilesIn(rectangle, end).map((tile) => intersect(tile.rectangle, rectangle));
      this.makeTiles(message, places, (made) => inTurn(() => this.take(message, places, made)));
    }
  }

  get state(): LayerState {
    const view = this.view;
    if (view === null) return 'nothing';
    if (this.inventory(view).missing === 0) return 'exact';
    return this.paintOrder().length > 0 ? 'draft' : 'nothing';
  }

  /** Whether an answer is awaited. */
  get busy(): boolean {
    return this.view !== null && this.asked !== null && !this.asked.finished;
  }

  /** True where the person stopped the computing of what is to be shown before it was exact. */
  get stopped(): boolean {
    return this.stoppedView !== null;
  }

  /** True where main refused the stack that is to be shown; what is on screen is then an older one. */
  get failed(): boolean {
    return this.view !== null && this.view.subject.source === this.failedSource;
  }

  /** Share of the visible tiles that are exact, 0…1. */
  get share(): number {
    if (this.view === null) return 0;
    const { have, missing } = this.inventory(this.view);
    return have.length + missing === 0 ? 1 : have.length / (have.length + missing);
  }

  /**
   * Sheets to draw, bottom first: stacks shown before (until the new one is whole), then drafts, then exact tiles of
   * other levels, then the exact tiles of the level asked for.
   */
  paintOrder(): readonly PaintSheet[] {
    const view = this.view;
    if (view === null) return [];
    const top: PaintSheet = {
      sheet: { source: view.subject.source, quality: 'exact', level: view.level },
      subject: view.subject,
    };
    if (this.inventory(view).missing === 0) {
      this.backdrops = [];
      return [top];
    }
    const sheets: PaintSheet[] = [];
    for (const subject of [...this.backdrops, view.subject]) {
      for (const quality of ['draft', 'exact'] as const) {
        for (const level of this.cache.levelsOf(subject.source, quality)) {
          if (quality === 'exact' && level === view.level) continue;
          sheets.push({ sheet: { source: subject.source, quality, level }, subject });
        }
      }
      if (this.cache.levelsOf(subject.source, 'exact').includes(view.level)) {
        sheets.push({ sheet: { source: subject.source, quality: 'exact', level: view.level }, subject });
      }
    }
    return sheets;
  }

  /** A request ended. */
  private end(message: RenderDoneMessage | RenderFailedMessage): void {
    const asked = this.asked;
    if (asked === null || asked.sequence !== message.sequence) {
      this.sources.delete(message.sequence);
      return;
    }
    asked.finished = true;
    if (message.kind === 'done') {
      if (asked.exact) this.lastMilliseconds = message.milliseconds;
      this.events.done(message, asked.exact);
    } else if (message.failure.code !== 'cancelled') this.refuse(asked, message.failure);
    this.events.changed();
  }

  /** What was asked for cannot be shown: of no interest where something else is to be shown by now. */
  private refuse({ view }: Asked, failure: Failure): void {
    if (view.subject.source !== this.view?.subject.source) return;
    this.failedSource = view.subject.source;
    this.events.failed(failure);
  }

  /** Tiles of the newest request were not made. Those of an older one were asked for again with it, if they are wanted. */
  private miss(asked: Asked, why: NotMade): void {
    if (why === 'failed') this.refuse(asked, { code: 'internal', subject: 'the thread of tiles' });
    else this.asked = null;
    this.events.changed();
  }

  private acknowledge({ sequence }: TilesMessage): void {
    this.events.send({ kind: 'tilesReceived', sequence });
  }

  /**
   * Wanted are tiles of what is to be shown, and of the newest request: in a drag the view is already a step further, and the
   * step before is the newest picture there is. All others are of an older stack, and never drawn.
   */
  private isWanted(sequence: number): boolean {
    const source = this.sources.get(sequence);
    return (
      this.view !== null &&
      source !== undefined &&
      [this.view.subject.source, this.asked?.view.subject.source].includes(source)
    );
  }

  private isKnown(view: LayerView): boolean {
    return this.cache.levelsOf(view.subject.source, 'exact').length > 0;
  }

  private inventory(view: LayerView): { have: number[]; missing: number } {
    const sheet: SheetName = { source: view.subject.source, quality: 'exact', level: view.level };
    const have: number[] = [];
    let missing = 0;
    for (const tile of tilesIn(view.visible, view.levelSize)) {
      if (this.cache.has(sheet, intersect(tile.rectangle, view.visible))) have.push(tile.index);
      else missing++;
    }
    return { have, missing };
  }

  private ask(view: LayerView, have: readonly number[], draft: boolean, now: number): void {
    const sequence = this.nextSequence();
    const there = new Set(have);
    const crop = this.asked?.view.subject.source !== view.subject.source;
    const tiles = tilesIn(view.visible, view.levelSize).filter(({ index }) => there.has(index));
    const covered = tiles.reduce((sum, { rectangle }) => sum + area(intersect(rectangle, view.visible)), 0);
    this.asked = { sequence, view, draft, sentAt: now, covered, exact: false, finished: false };
    this.sources.set(sequence, view.subject.source);
    for (const old of this.sources.keys()) if (this.sources.size > 32) this.sources.delete(old);
    this.events.send({
      kind: 'render',
      sequence,
      layer: this.layer,
      imageId: view.subject.imageId,
      stack: view.subject.stack,
      level: view.level,
      visible: view.visible,
      draft,
      ...(view.subject.numbers === true ? { numbers: true } : {}),
      ...(crop ? { crop } : {}),
      have: [...have],
    });
  }

  private take(message: TilesMessage, places: readonly Rectangle[], made: readonly MadeTile<Bitmap>[] | NotMade): void {
    this.acknowledge(message);
    if (typeof made === 'string') {
      if (this.asked?.sequence === message.sequence) this.miss(this.asked, made);
      return;
    }
    const source = this.sources.get(message.sequence);
    // While they were made another picture may have been chosen.
    if (source === undefined || !this.isWanted(message.sequence)) {
      for (const { bitmap } of made) this.cache.release(bitmap);
      return;
    }
    const { quality, level } = message;
    for (const [index, rectangle] of places.entries()) {
      const tile = made[index];
      if (tile !== undefined) this.cache.put({ sheet: { source, quality, level }, rectangle, ...tile });
    }
    const asked = this.asked;
    let whole = false;
    if (asked !== null && asked.sequence === message.sequence) {
      if (quality === 'exact') asked.exact = true;
      asked.covered += coveredArea(message, asked.view);
      whole = quality === 'draft' ? isCovered(asked) : this.inventory(asked.view).missing === 0;
    }
    this.events.arrived(whole);
  }
}

/** Whether tiles of either quality have covered the view of the request; 0.1 % may be lost to rounding. */
const isCovered = ({ covered, view }: Asked) => covered >= area(view.visible) * 0.999;

const area = (rectangle: Rectangle) => rectangle.width * rectangle.height;

/** Area of the visible part that a tile covers, in pixels of the view's level. */
function coveredArea(message: TilesMessage, view: LayerView): number {
  const scale = 2 ** (message.level - view.level);
  const { x, y, width, height } = message.rectangle;
  const scaled = { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
  return area(intersect(scaled, view.visible));
}
