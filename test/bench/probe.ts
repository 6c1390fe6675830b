// Watches the preview from inside the page, for test/bench/preview.ts: when a key went down, when tiles arrived over the
// pixel port, when they were drawn, and what main said of its own time. Milliseconds from the key press.

/** One change and what followed. */
export interface Change {
  /** Until the page asked main for it. */
  readonly asked: number;
  /** Until the frame that shows the whole draft; null where there was none. */
  readonly draft: number | null;
  /** Until the frame that shows the last exact tile. */
  readonly exact: number;
  /** What main measured for the exact tiles. */
  readonly engine: number;
  /** From the request to its end without the engine: queue, plan, draft, port. */
  readonly transport: number;
  /** Turning pixels into bitmaps, without spreading them to four channels. */
  readonly bitmaps: number;
  /** Running animation frames. */
  readonly frames: number;
  readonly exactTiles: number;
}

interface PreviewProbe {
  begin(): void;
  end(): Change;
}

declare global {
  interface Window {
    previewProbe: PreviewProbe;
  }
}

interface Seen {
  readonly kind: 'render' | 'tiles' | 'done';
  readonly quality?: string | undefined;
  readonly milliseconds?: number | undefined;
  readonly at: number;
}

/** Runs in the page; must not refer to anything outside itself. */
export function probePage(): void {
  let keyAt = 0;
  let seen: Seen[] = [];
  let frames: { readonly at: number; readonly spent: number }[] = [];
  let bitmaps = 0;
  let bitmapFrom = 0;
  window.addEventListener(
    'keydown',
    () => {
      keyAt = performance.now();
    },
    { capture: true },
  );
  const listened = new WeakSet<MessagePort>();
  const listen = (port: MessagePort) => {
    if (listened.has(port)) return;
    listened.add(port);
    port.addEventListener(
      'message',
      ({ data }: MessageEvent<{ kind: string; layer: string; quality?: string; milliseconds?: number }>) => {
        const { kind, layer, quality, milliseconds } = data;
        // Without the pixels, which would be kept until the next change.
        if (layer === 'result' && (kind === 'tiles' || kind === 'done'))
          seen.push({ kind, quality, milliseconds, at: performance.now() });
      },
    );
  };
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown, ...rest: never[]) {
    // React's scheduler posts null to itself.
    const { kind, layer } = (message ?? {}) as { readonly kind?: string; readonly layer?: string };
    if (kind === 'render') listen(this);
    if (kind === 'render' && layer === 'result') seen.push({ kind: 'render', at: performance.now() });
    return post.call(this, message, ...rest);
  };
  const requestFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    requestFrame((time) => {
      const from = performance.now();
      callback(time);
      const at = performance.now();
      frames.push({ at, spent: at - from });
    });
  const put = OffscreenCanvasRenderingContext2D.prototype.putImageData;
  OffscreenCanvasRenderingContext2D.prototype.putImageData = function (
    this: OffscreenCanvasRenderingContext2D,
    image: ImageData,
    x: number,
    y: number,
  ) {
    bitmapFrom = performance.now();
    (put as (image: ImageData, x: number, y: number) => void).call(this, image, x, y);
  };
  const transfer = OffscreenCanvas.prototype.transferToImageBitmap;
  OffscreenCanvas.prototype.transferToImageBitmap = function (this: OffscreenCanvas) {
    const bitmap = transfer.call(this);
    bitmaps += performance.now() - bitmapFrom;
    return bitmap;
  };
  window.previewProbe = {
    begin: () => {
      seen = [];
      frames = [];
      bitmaps = 0;
    },
    end: () => {
      const frameAfter = (at: number) => frames.find((frame) => frame.at > at)?.at ?? at;
      const last = (kind: Seen['kind'], quality?: string) =>
        seen.filter((one) => one.kind === kind && (quality === undefined || one.quality === quality)).at(-1);
      const asked = seen.find((one) => one.kind === 'render');
      const draft = last('tiles', 'draft');
      const exact = last('tiles', 'exact');
      const done = last('done');
      const engine = done?.milliseconds ?? 0;
      return {
        asked: asked === undefined ? 0 : asked.at - keyAt,
        draft: draft === undefined ? null : frameAfter(draft.at) - keyAt,
        exact: exact === undefined ? 0 : frameAfter(exact.at) - keyAt,
        engine,
        transport: done === undefined || asked === undefined ? 0 : done.at - asked.at - engine,
        bitmaps,
        frames: frames.reduce((sum, { spent }) => sum + spent, 0),
        exactTiles: seen.filter((one) => one.kind === 'tiles' && one.quality === 'exact').length,
      };
    },
  };
}
