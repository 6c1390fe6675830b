// A stand-in for main, for looking at the page in a plain browser: it implements Bridge and the pixel port with a slow
// plain convolution of a drawn picture. Never shipped; bundled by preview.ts and put into the page before it loads.

import type { ImageInfo, Stack } from '../../core/document';
import { denseOf, filterForm } from '../../core/filterForm';
import { intersect, sizeAtLevel } from '../../core/geometry';
import {
  type ApplicationState,
  type Bridge,
  type OpenedDocument,
  type Settings,
  standardSettings,
} from '../../core/ipc';
import type { DenseWeights } from '../../core/pass';
import { type MainMessage, type PageMessage, type RenderRequest, tileSize } from '../../core/pixelPort';
import { planStack } from '../../core/plan';
import { shippedCosts } from '../../core/shippedCosts';

export interface PreviewOptions {
  readonly theme: Settings['theme'];
  readonly language: Settings['language'];
  /** Whether a picture is open at the start. */
  readonly opened: boolean;
  /** Milliseconds that each exact tile takes longer. */
  readonly delay: number;
  readonly alpha: boolean;
  /** Device pixels a CSS pixel. */
  readonly density: number;
}

declare global {
  interface Window {
    previewOptions?: PreviewOptions;
    previewRequests?: RenderRequest[];
  }
}

const width = 1400;
const height = 930;
const options: PreviewOptions = {
  theme: 'dark',
  language: 'en',
  opened: false,
  delay: 0,
  alpha: false,
  density: 1,
  ...window.previewOptions,
};
const channels = options.alpha ? 4 : 3;

/** A dusk sky over a lit town and its reflection: gradients, hard edges and fine detail. */
function drawPicture(): Uint8ClampedArray {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  const sky = context.createLinearGradient(0, 0, 0, height * 0.6);
  sky.addColorStop(0, '#8d7fb5');
  sky.addColorStop(0.4, '#c79ac0');
  sky.addColorStop(1, '#33508c');
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height * 0.6);
  const water = context.createLinearGradient(0, height * 0.6, 0, height);
  water.addColorStop(0, '#123a63');
  water.addColorStop(1, '#04121f');
  context.fillStyle = water;
  context.fillRect(0, height * 0.6, width, height * 0.4);
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  for (let tower = 0; tower < 46; tower++) {
    const x = random() * width;
    const w = 24 + random() * 60;
    const h = 60 + random() * 330;
    const top = height * 0.6 - h;
    context.fillStyle = `hsl(${215 + random() * 20} 35% ${12 + random() * 14}%)`;
    context.fillRect(x, top, w, h);
    for (let wy = top + 5; wy < height * 0.6 - 6; wy += 8) {
      for (let wx = x + 4; wx < x + w - 5; wx += 7) {
        if (random() < 0.55) continue;
        context.fillStyle = `hsl(${random() < 0.8 ? 44 : 190} 90% ${55 + random() * 35}%)`;
        context.fillRect(wx, wy, 4, 5);
      }
    }
    context.globalAlpha = 0.25;
    context.fillStyle = `hsl(${random() * 360} 80% 60%)`;
    context.fillRect(x, height * 0.6, w * 0.6, 60 + random() * 260);
    context.globalAlpha = 1;
  }
  const image = context.getImageData(0, 0, width, height);
  if (options.alpha) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const distance = Math.hypot((x - width / 2) / (width / 2), (y - height / 2) / (height / 2));
        image.data[(y * width + x) * 4 + 3] = Math.max(0, Math.min(255, 255 * (1.6 - 1.4 * distance)));
      }
    }
  }
  return image.data;
}

function toChannels(rgba: Uint8ClampedArray): Float32Array {
  const values = new Float32Array(width * height * channels);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let channel = 0; channel < channels; channel++) {
      values[pixel * channels + channel] = rgba[pixel * 4 + channel] ?? 0;
    }
  }
  return values;
}

const original = toChannels(drawPicture());

const mirror = (position: number, count: number): number => {
  const period = Math.max(1, 2 * count - 2);
  const at = ((position % period) + period) % period;
  return at < count ? at : period - at;
};

function correlate(input: Float32Array, kernel: DenseWeights): Float32Array {
  const output = new Float32Array(input.length);
  for (let j = 0; j < kernel.height; j++) {
    for (let i = 0; i < kernel.width; i++) {
      const weight = (kernel.weights[j * kernel.width + i] ?? 0) / kernel.divisor;
      if (weight === 0) continue;
      for (let y = 0; y < height; y++) {
        const from = mirror(y + j - kernel.anchorY, height) * width;
        for (let x = 0; x < width; x++) {
          const source = (from + mirror(x + i - kernel.anchorX, width)) * channels;
          const target = (y * width + x) * channels;
          for (let channel = 0; channel < channels; channel++) {
            output[target + channel] = (output[target + channel] ?? 0) + weight * (input[source + channel] ?? 0);
          }
        }
      }
    }
  }
  return output;
}

function runStack(stack: Stack): Float32Array {
  let values = original;
  for (const filter of stack) {
    const form = filterForm(filter);
    let sum: Float32Array;
    // Not shown by these pictures.
    if (form.kind === 'diffusion') continue;
    if (form.kind === 'edges') {
      // Enough to look at the page by: steep places, not thinned and not followed.
      const [x, y] = [form.x, form.y].map((weights) => correlate(values, denseOf({ kind: 'separable', weights })));
      values = values.map((value, index) =>
        channels === 4 && index % 4 === 3
          ? value
          : Math.hypot(x?.[index] ?? 0, y?.[index] ?? 0) > 255 * form.high
            ? 255
            : 0,
      );
      continue;
    }
    if (form.kind === 'magnitude') {
      const y = correlate(values, form.y);
      sum = correlate(values, form.x).map((value, index) => Math.hypot(value, y[index] ?? 0));
    } else if (form.weights.kind === 'separable' && form.weights.weights.pairs.length === 1) {
      const { pairs, width: columns, height: rows, anchorX, anchorY, divisor } = form.weights.weights;
      const pair = pairs[0];
      if (pair === undefined) continue;
      const across = correlate(values, {
        ...{ width: columns, height: 1, anchorX, anchorY: 0 },
        ...{ weights: pair.row, divisor },
      });
      sum = correlate(across, { width: 1, height: rows, anchorX: 0, anchorY, weights: pair.column, divisor: 1 });
    } else {
      sum = correlate(values, denseOf(form.weights));
    }
    const { result, input, offset } = form.epilogue;
    const before = values;
    values = sum.map((value, index) => {
      if (channels === 4 && index % 4 === 3) return before[index] ?? 0;
      return Math.min(255, Math.max(0, result * value + input * (before[index] ?? 0) + 255 * offset));
    });
  }
  return values;
}

const results = new Map<string, Float32Array>();
function resultOf(stack: Stack): Float32Array {
  if (stack.length === 0) return original;
  const key = JSON.stringify(stack);
  let found = results.get(key);
  if (found === undefined) {
    found = runStack(stack);
    results.set(key, found);
    for (const old of results.keys()) if (results.size > 6) results.delete(old);
  }
  return found;
}

function cut(values: Float32Array, level: number, x: number, y: number, w: number, h: number): Uint8Array {
  const block = 2 ** level;
  const pixels = new Uint8Array(w * h * channels);
  for (let row = 0; row < h; row++) {
    for (let column = 0; column < w; column++) {
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        let count = 0;
        for (let by = (y + row) * block; by < Math.min(height, (y + row + 1) * block); by++) {
          for (let bx = (x + column) * block; bx < Math.min(width, (x + column + 1) * block); bx++) {
            sum += values[(by * width + bx) * channels + channel] ?? 0;
            count++;
          }
        }
        pixels[(row * w + column) * channels + channel] = Math.round(sum / Math.max(1, count));
      }
    }
  }
  return pixels;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function serve(port: MessagePort): void {
  const newest = new Map<string, number>();
  window.previewRequests = [];
  const send = (message: MainMessage) => port.postMessage(message);
  const render = async (request: RenderRequest) => {
    const { sequence, layer, level } = request;
    const isNewest = () => newest.get(layer) === sequence;
    await pause(0);
    if (!isNewest()) return;
    const stack = layer === 'original' ? [] : request.stack;
    const size = sizeAtLevel({ width, height }, level);
    const columns = Math.ceil(size.width / tileSize);
    const started = performance.now();
    const grid: { x: number; y: number; width: number; height: number }[] = [];
    for (let y = 0; y < size.height; y += tileSize) {
      for (let x = 0; x < size.width; x += tileSize) {
        const rectangle = intersect({ x, y, width: tileSize, height: tileSize }, { x: 0, y: 0, ...size });
        const seen = intersect(rectangle, request.visible);
        const index = Math.floor(y / tileSize) * columns + Math.floor(x / tileSize);
        if (seen.width > 0 && seen.height > 0 && !request.have.includes(index)) grid.push(rectangle);
      }
    }
    const values = resultOf(stack);
    if (request.draft) {
      const coarse = level + 2;
      const all = { x: 0, y: 0, ...sizeAtLevel({ width, height }, coarse) };
      const pixels = cut(values, coarse, all.x, all.y, all.width, all.height);
      send({ kind: 'tiles', sequence, layer, quality: 'draft', level: coarse, rectangle: all, channels, pixels });
    }
    for (const rectangle of grid) {
      await pause(options.delay);
      if (!isNewest()) return;
      const pixels = cut(values, level, rectangle.x, rectangle.y, rectangle.width, rectangle.height);
      send({ kind: 'tiles', sequence, layer, quality: 'exact', level, rectangle, channels, pixels });
    }
    const milliseconds = performance.now() - started;
    send({ kind: 'done', sequence, layer, backend: 'cpu', milliseconds, resultSize: size });
  };
  port.onmessage = (event: MessageEvent<PageMessage>) => {
    const message = event.data;
    if (message.kind !== 'render') return;
    window.previewRequests?.push(message);
    newest.set(message.layer, message.sequence);
    void render(message);
  };
}

const picture: ImageInfo = {
  id: 1,
  name: 'dusk.png',
  width,
  height,
  channels,
  alpha: options.alpha,
  sampleType: 'u8',
  format: 'png',
  profile: 'sRGB',
  light: 'srgb',
  carries: { profile: 0, exif: 0, xmp: 0, iptc: 0, exifInJpeg: 'whole', resolution: false },
  page: 1,
  pages: 1,
  fileBytes: 1_234_567,
  warnings: [],
};

const opened: OpenedDocument = { kind: 'document', image: picture, stack: [], project: null, unsaved: false };

let settings: Settings = { ...standardSettings, theme: options.theme, language: options.language };
const state = (): ApplicationState => ({
  version: '0.1.0',
  platform: 'linux',
  systemLocale: 'en-GB',
  settings,
  standardCacheMegabytes: 2048,
  settingsSetAside: null,
  backends: [
    { name: 'cpu', available: true, description: 'AVX-512 · 2 threads' },
    { name: 'reference', available: true, description: 'float64 loops · 1 thread' },
    { name: 'cuda', available: false, description: 'not built: no CUDA compiler was found' },
  ],
  costs: shippedCosts,
  samples: ['kitten', 'canyon', 'motherboard'],
  recentFiles: [
    { path: '/photos/2024/singapore.jpg', page: 1 },
    { path: '/photos/scans/scan 2024-03-01.tif', page: 3 },
  ],
  starting: false,
  opened: options.opened ? [opened] : [],
  recoverable: [],
});

const listeners = new Map<string, Set<(value: never) => void>>();
let cancelled = false;

async function answer(channel: string, argument: unknown): Promise<unknown> {
  switch (channel) {
    case 'app:state':
      return state();
    case 'settings:change':
      settings = { ...settings, ...(argument as Partial<Settings>) };
      return settings;
    case 'image:openDialog':
    case 'image:openSample':
    case 'image:openRecent':
    case 'image:openDropped':
    case 'image:paste':
      await pause(30);
      return picture;
    case 'image:export': {
      cancelled = false;
      for (let step = 0; step <= 20; step++) {
        for (const listener of listeners.get('export:progress') ?? []) listener({ share: step / 20 } as never);
        await pause(40);
        if (cancelled) return null;
      }
      return { fileName: 'dusk.png', width, height, fileBytes: 2_345_678, milliseconds: 840 };
    }
    case 'image:cancelExport':
      cancelled = true;
      return undefined;
    case 'pixel:inspect': {
      const { stack, x, y } = argument as { stack: Stack; x: number; y: number };
      const read = (values: Float32Array) =>
        Array.from({ length: channels }, (_, channel) => Math.round(values[(y * width + x) * channels + channel] ?? 0));
      return { before: read(original), after: read(resultOf(stack)) };
    }
    case 'plan:explain':
      return {
        backend: 'cpu',
        passes: planStack((argument as { stack: Stack }).stack, picture).explanations,
      };
    default:
      return undefined;
  }
}

const bridge: Bridge = {
  call: (async (channel: string, argument: unknown) => ({
    ok: true,
    value: await answer(channel, argument),
  })) as Bridge['call'],
  openDropped: async () => ({ ok: false, failure: { code: 'fileNotAnImage', subject: 'notes.txt' } }),
  listen: (announcement, listener) => {
    const known = listeners.get(announcement) ?? new Set();
    known.add(listener as (value: never) => void);
    listeners.set(announcement, known);
    return () => known.delete(listener as (value: never) => void);
  },
};
Object.defineProperty(window, 'bridge', { value: bridge });

document.addEventListener('DOMContentLoaded', () => {
  const { port1, port2 } = new MessageChannel();
  serve(port1);
  window.postMessage('convolve:port', '*', [port2]);
});
