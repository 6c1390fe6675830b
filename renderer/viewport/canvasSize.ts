// The size of the viewport's canvas in device pixels, kept at what the screen shows: after a resize, and after the window
// moved to a screen of another density.

import type { Size } from '../../core/geometry';

interface CanvasSizeEvents {
  /** There is a new size to apply: a canvas must be drawn with it at once, since resizing blanks it. */
  readonly resized: () => void;
  /** The density may have changed: ask `follow` with the next frame. */
  readonly density: () => void;
}

export class CanvasSize {
  private readonly observer: ResizeObserver;
  private readonly listening = new AbortController();
  private next: Size | null = null;
  private now: Size = { width: 1, height: 1 };
  private density = 1;
  private known = false;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly events: CanvasSizeEvents,
  ) {
    this.observer = new ResizeObserver((entries) => this.observed(entries));
    this.observer.observe(canvas, { box: 'device-pixel-content-box' });
    this.watchDensity();
  }

  dispose(): void {
    this.observer.disconnect();
    this.listening.abort();
  }

  /** In device pixels. */
  get size(): Size {
    return this.now;
  }

  /** Device pixels a CSS pixel. */
  get ratio(): number {
    return this.density;
  }

  /** False before the first layout: then no zoom, and so no level to ask for, is known. */
  get measured(): boolean {
    return this.known;
  }

  /** Takes over what changed, which blanks the canvas; answers whether anything did. Called before drawing. */
  follow(): boolean {
    if (this.known && window.devicePixelRatio !== this.density) this.measure(null, this.canvas.getBoundingClientRect());
    if (this.next === null) return false;
    this.now = this.next;
    this.next = null;
    this.canvas.width = this.now.width;
    this.canvas.height = this.now.height;
    this.known = true;
    return true;
  }

  /** A question holds for one density, so each answer asks the next. */
  private watchDensity(): void {
    const question = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    question.addEventListener(
      'change',
      () => {
        this.events.density();
        this.watchDensity();
      },
      { once: true, signal: this.listening.signal },
    );
  }

  private observed(entries: readonly ResizeObserverEntry[]): void {
    const entry = entries.at(-1);
    if (entry === undefined) return;
    const exact = entry.devicePixelContentBoxSize?.[0];
    this.measure(exact === undefined ? null : { width: exact.inlineSize, height: exact.blockSize }, entry.contentRect);
    this.events.resized();
  }

  /**
   * Measures a new size. The browser's device pixels count only as how it rounds CSS pixels: where they are off by more,
   * the density is an emulated one that they do not know.
   */
  private measure(device: Size | null, css: Size): void {
    this.density = window.devicePixelRatio;
    const pick = (exact: number | undefined, length: number) => {
      const computed = Math.max(1, Math.round(length * this.density));
      return exact !== undefined && Math.abs(exact - computed) <= 1 ? exact : computed;
    };
    this.next = { width: pick(device?.width, css.width), height: pick(device?.height, css.height) };
  }
}
