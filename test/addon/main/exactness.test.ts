// What is seen is what is exported: tiles of the preview against the file that an export wrote, bit for bit, over the real
// engine and the real codec.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter, FilterSettings, Stack } from '../../../core/document';
import type { ConvolveError } from '../../../core/errors';
import { type ExportFormat, type ExportOptions, standardExport } from '../../../core/exportOptions';
import type { BackendChoice } from '../../../core/ipc';
import type { Mask } from '../../../core/mask';
import type { MainMessage, TilesMessage } from '../../../core/pixelPort';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { directCodec } from '../../../main/codec/directCodec';
import { type Engine, startEngine } from '../../../main/engine';
import { exportPicture } from '../../../main/export';
import { OpenPictures } from '../../../main/images';
import { inspectPixel } from '../../../main/inspect';
import { readPictureFile } from '../../../main/pictureFile';
import { Renderer } from '../../../main/render';
import { RenderQueue } from '../../../main/renderQueue';
import { fixturePath } from '../../unit/main/fixtures';

let engine: Engine;
let folder: string;
beforeAll(async () => {
  engine = await startEngine();
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-exact-'));
});
afterAll(() => rm(folder, { recursive: true }));

const settings = (id: string): FilterSettings => ({
  id,
  enabled: true,
  border: { kind: 'replicate' },
  size: 'same',
  alpha: 'weighted',
  light: 'encoded',
  range: 'clamp',
});
const blur = (sigma: number, id = 'blur'): Filter => ({
  ...settings(id),
  border: { kind: 'reflect' },
  kind: 'gaussian',
  sigma,
});
const sharpen: Filter = {
  ...settings('sharpen'),
  border: { kind: 'wrap' },
  range: 'float',
  kind: 'sharpen',
  neighbours: 8,
  amount: 0.7,
};
const emboss: Filter = {
  ...settings('emboss'),
  border: { kind: 'constant', value: 0.25 },
  light: 'linear',
  kind: 'emboss',
  direction: 3,
};
const canny: Filter = { ...settings('canny'), kind: 'canny', sigma: 1.4, low: 4, high: 10 };
/** Edges of blurred, rescaled edges of edges: steps whose passes are measured, and passes after the last one. */
const edgesOfEdges: Stack = [
  sharpen,
  canny,
  { ...blur(4), range: 'rescale' },
  { ...canny, id: 'again', sigma: 0.8, size: 'valid', range: 'signed' },
  { ...blur(2.3, 'soft'), range: 'rescale' },
];
const three: Stack = [blur(2.3), sharpen, emboss];

/**
 * Mixes of every kind of input: a pass's own, the picture before several passes, and the one that edges were found in, with
 * masks over two of them (of the picture's size).
 */
function mixed({ width, height }: { readonly width: number; readonly height: number }): Stack {
  const ellipse = { kind: 'ellipse', combine: 'add', x: width / 2, y: height / 2, width, height, angle: 30 } as const;
  const mask: Mask = { width, height, shapes: [ellipse], inverted: false, feather: 3 };
  return [
    { ...blur(2.3), size: 'valid', mix: { opacity: 0.6, blend: 'softLight', channels: 'all' }, mask },
    {
      ...emboss,
      repeat: 3,
      mix: { opacity: 0.8, blend: 'screen', channels: 'luminance' },
      mask: { ...mask, inverted: true },
    },
    { ...canny, mix: { opacity: 0.5, blend: 'difference', channels: ['red'] } },
    { ...blur(1.2, 'soft'), range: 'rescale', mix: { opacity: 0.5, blend: 'normal', channels: 'all' } },
  ];
}

const options = (format: ExportFormat): ExportOptions => ({ ...standardExport, format, lossless: true });

async function openFile(file: string, choice: BackendChoice = 'auto') {
  const decoded = await decodePicture(await readPictureFile(fixturePath(file)), path.basename(file));
  const pictures = new OpenPictures(engine);
  const info = await pictures.add(decoded, {
    name: path.basename(file),
    format: decoded.format,
    fileBytes: 0,
    folder: null,
  });
  const renderer = new Renderer(engine, () => choice);

  const exported = async (stack: Stack, format: ExportFormat = 'png'): Promise<DecodedPicture> => {
    const target = path.join(folder, `out.${format}`);
    await pictures.use(info.id, (picture) =>
      exportPicture({ renderer, codec: directCodec }, picture, stack, target, options(format)),
    );
    return decodePicture(await readPictureFile(target), 'exported');
  };

  /** Exact tiles of the result at a level, as the page would get them. */
  const tiles = (stack: Stack, level = 0, visible = { x: 0, y: 0, width: info.width, height: info.height }) =>
    new Promise<{ tiles: TilesMessage[]; done: Extract<MainMessage, { kind: 'done' }> }>((resolve, reject) => {
      const found: TilesMessage[] = [];
      const queue: RenderQueue = new RenderQueue(pictures, renderer, (message) => {
        if (message.kind === 'tiles') {
          found.push(message);
          queue.tilesReceived(message.sequence);
        } else if (message.kind === 'done') resolve({ tiles: found, done: message });
        else reject(new Error(JSON.stringify(message.failure)));
        return false;
      });
      queue.request({
        kind: 'render',
        sequence: 1,
        layer: 'result',
        imageId: info.id,
        stack,
        level,
        visible,
        draft: false,
        have: [],
      });
    });
  return { decoded, info, pictures, renderer, exported, tiles };
}

function crop(picture: DecodedPicture, tile: TilesMessage): Uint8Array {
  const { x, y, width, height } = tile.rectangle;
  const out = new Uint8Array(width * height * picture.channels);
  for (let row = 0; row < height; row += 1) {
    const start = ((y + row) * picture.width + x) * picture.channels;
    out.set(picture.samples.subarray(start, start + width * picture.channels), row * width * picture.channels);
  }
  return out;
}

const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

describe('an exact tile at full size is the exported file’s crop', () => {
  const cases: readonly (readonly [string, string, Stack, BackendChoice])[] = [
    ['three filters with three borders', 'photos/rocket_640x427.jpg', three, 'cpu'],
    ['the same on the reference', 'png/rgb8.png', three, 'reference'],
    ['with alpha', 'png/rgba8.png', three, 'cpu'],
    ['grey', 'photos/brick_gray_512x512.png', three, 'cpu'],
    ['grey with alpha', 'png/grayalpha8.png', three, 'cpu'],
    ['a smaller result', 'photos/chelsea_451x300.png', [{ ...blur(2.3), size: 'valid' }, sharpen], 'cpu'],
    ['a rescaled range', 'photos/chelsea_451x300.png', [{ ...emboss, range: 'rescale' }, blur(2.3)], 'cpu'],
    ['no filter at all', 'photos/chelsea_451x300.png', [], 'cpu'],
    ['a disabled filter', 'png/rgb8.png', [{ ...blur(2.3), enabled: false }], 'cpu'],
    ['edges', 'photos/rocket_640x427.jpg', [canny], 'cpu'],
    ['edges on the reference', 'png/rgb8.png', [canny, emboss], 'reference'],
    ['edges among other filters', 'photos/rocket_640x427.jpg', [blur(2.3), canny, emboss], 'cpu'],
    ['edges of edges', 'photos/chelsea_451x300.png', edgesOfEdges, 'cpu'],
    ['edges with alpha', 'png/rgba8.png', [blur(2.3), canny], 'cpu'],
    ['mixes', 'photos/rocket_640x427.jpg', mixed({ width: 640, height: 427 }), 'cpu'],
    ['a picture of one pixel', 'sizes/1x1.png', three, 'cpu'],
    ['the edges of one pixel', 'sizes/1x1.png', [canny], 'cpu'],
    ['a picture of 20000 by 3', 'sizes/20000x3.png', three, 'cpu'],
  ];
  for (const [what, file, stack, choice] of cases)
    it(what, async () => {
      const { exported, tiles } = await openFile(file, choice);
      const picture = await exported(stack);
      const preview = await tiles(stack);
      expect(preview.done).toMatchObject({
        backend: choice,
        resultSize: { width: picture.width, height: picture.height },
      });
      const area = preview.tiles.reduce((sum, tile) => sum + tile.rectangle.width * tile.rectangle.height, 0);
      expect(area).toBe(picture.width * picture.height);
      for (const tile of preview.tiles) expect(sameBytes(tile.pixels, crop(picture, tile))).toBe(true);
    });

  it('also while one filter is moved and those before it are kept', async () => {
    const steps: readonly (readonly [string, (value: number) => Stack])[] = [
      ['photos/rocket_640x427.jpg', (value) => [blur(2.3), sharpen, { ...emboss, range: 'rescale' }, blur(value)]],
      ['photos/rocket_640x427.jpg', (value) => [blur(2.3), blur(value), { ...emboss, range: 'rescale' }]],
      ['png/rgb8.png', (value) => [blur(1.1), sharpen, { ...blur(value), size: 'valid' }, emboss]],
      ['png/rgba8.png', (value) => [sharpen, canny, blur(1.3), blur(value)]],
    ];
    for (const [file, stack] of steps) {
      const { exported, tiles, pictures } = await openFile(file, 'cpu');
      await tiles(stack(1));
      const before = await pictures.bytes();
      // Only a part of it is asked for first, so that what is kept is there in part.
      for (const value of [1.5, 0.8, 2.6]) {
        const picture = await exported(stack(value));
        await tiles(stack(value), 0, { x: 37, y: 5, width: 9, height: 3 });
        for (const tile of (await tiles(stack(value))).tiles)
          expect(sameBytes(tile.pixels, crop(picture, tile)), `${file} ${value}`).toBe(true);
      }
      expect(await pictures.bytes()).toBeGreaterThan(before);
    }
  });

  it('and shows edges: thin lines, white on black', async () => {
    const { exported } = await openFile('photos/rocket_640x427.jpg', 'cpu');
    const samples = (await exported([canny])).samples as Uint8Array;
    expect(new Set(samples)).toEqual(new Set([0, 255]));
    const share = samples.reduce((sum, value) => sum + value, 0) / 255 / samples.length;
    expect(share).toBeGreaterThan(0.01);
    expect(share).toBeLessThan(0.2);
  });

  it('and differs from the source, so that the comparison means something', async () => {
    const { exported, decoded } = await openFile('photos/rocket_640x427.jpg', 'cpu');
    const picture = await exported(three);
    expect(sameBytes(picture.samples as Uint8Array, decoded.samples as Uint8Array)).toBe(false);
  });
});

describe('a coarser exact tile', () => {
  for (const [level, what, stack] of [
    [1, 'three filters', three],
    [3, 'three filters', three],
    [2, 'edges', [canny, sharpen]],
    [1, 'mixes', mixed({ width: 451, height: 300 })],
  ] as const)
    it(`at level ${level} is the mean of the exported pixels of ${what}`, async () => {
      const { exported, tiles } = await openFile('photos/chelsea_451x300.png', 'cpu');
      const picture = await exported(stack);
      const block = 2 ** level;
      const preview = await tiles(stack, level);
      for (const tile of preview.tiles)
        for (let index = 0; index < tile.pixels.length; index += 1) {
          const channel = index % 3;
          const x = tile.rectangle.x + (Math.floor(index / 3) % tile.rectangle.width);
          const y = tile.rectangle.y + Math.floor(index / 3 / tile.rectangle.width);
          let sum = 0;
          let count = 0;
          for (let row = y * block; row < Math.min((y + 1) * block, picture.height); row += 1)
            for (let column = x * block; column < Math.min((x + 1) * block, picture.width); column += 1) {
              sum += picture.samples[(row * picture.width + column) * 3 + channel]!;
              count += 1;
            }
          if (tile.pixels[index] !== Math.floor((2 * sum + count) / (2 * count)))
            throw new Error(`level ${level}, ${x} ${y} channel ${channel}: ${tile.pixels[index]} for ${sum}/${count}`);
        }
      expect(preview.tiles.length).toBeGreaterThan(0);
    });
});

describe('an export without filters gives the source back', () => {
  for (const [file, format] of [
    ['png/rgba8.png', 'png'],
    ['png/hidden_colors.png', 'webp'],
    ['png/rgba16.png', 'png'],
    ['png/gray16.png', 'tiff'],
    ['tiff/rgb32f_wide.tif', 'tiff'],
    ['exif/F_orient6.jpg', 'png'],
  ] as const)
    it(`${file} as ${format}`, async () => {
      const { exported, decoded } = await openFile(file);
      const picture = await exported([], format);
      expect([picture.width, picture.height, picture.sampleType]).toEqual([
        decoded.width,
        decoded.height,
        decoded.sampleType,
      ]);
      expect(picture.samples).toEqual(decoded.samples);
    });
});

describe('16-bit and float pictures', () => {
  it('show in 8 bits what they hold', async () => {
    const { decoded, tiles } = await openFile('png/rgb16.png');
    const { tiles: shown } = await tiles([]);
    expect([...shown[0]!.pixels]).toEqual(
      Array.from(decoded.samples, (value) => Math.floor((value * 255) / 65535 + 0.5)),
    );
  });

  it('are cut to 0 to 1 on screen, not in the file', async () => {
    const { decoded, tiles, exported } = await openFile('tiff/rgb32f_wide.tif');
    const { tiles: shown } = await tiles([]);
    expect([...shown[0]!.pixels]).toEqual(
      Array.from(decoded.samples, (value) => Math.floor(Math.min(1, Math.max(0, value)) * 255 + 0.5)),
    );
    expect((await exported([], 'tiff')).samples).toEqual(decoded.samples);
  });
});

describe('a rescaled range', () => {
  it('fills the whole scale of the file', async () => {
    const { exported } = await openFile('photos/chelsea_451x300.png', 'cpu');
    const { samples } = await exported([{ ...emboss, range: 'rescale' }]);
    let [least, most] = [255, 0];
    for (const value of samples) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    expect([least, most]).toEqual([0, 255]);
  });
});

describe('inspecting a pixel', () => {
  it('agrees with the exported file, also where a smaller result begins elsewhere', async () => {
    const { pictures, info, renderer, exported, decoded } = await openFile('photos/chelsea_451x300.png', 'cpu');
    const stack: Stack = [{ ...blur(2.3), size: 'valid' }, sharpen];
    const picture = await exported(stack);
    const origin = (451 - picture.width) / 2;
    const inspected = (of: Stack) => pictures.use(info.id, (open) => inspectPixel(renderer, open, of, 200, 100));
    const values = await inspected(stack);
    const at = (from: DecodedPicture, x: number, y: number) =>
      [0, 1, 2].map((channel) => from.samples[(y * from.width + x) * 3 + channel]);
    expect(values.before).toEqual(at(decoded, 200, 100));
    expect(values.after).toEqual(at(picture, 200 - origin, 100 - origin));
    const edges = await exported(edgesOfEdges);
    const lost = (451 - edges.width) / 2;
    expect(lost).toBeGreaterThan(0);
    expect((await inspected(edgesOfEdges)).after).toEqual(at(edges, 200 - lost, 100 - lost));
  });
});

describe('a long export', () => {
  const heavy: Stack = [blur(30), blur(30, 'again'), sharpen];

  it('leaves the event loop free while it runs', async () => {
    const { exported } = await openFile('photos/rocket_640x427.jpg', 'cpu');
    let turns = 0;
    let running = true;
    const count = () => {
      turns += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    await exported(heavy);
    running = false;
    expect(turns).toBeGreaterThan(20);
  });

  it('of edges is cancelled while they are searched', async () => {
    const { pictures, info, renderer } = await openFile('photos/kitten_4056x2746.jpg', 'cpu');
    const own = await mkdtemp(path.join(folder, 'search-'));
    const controller = new AbortController();
    const search = pictures.use(info.id, (picture) =>
      exportPicture(
        { renderer, codec: directCodec },
        picture,
        [...heavy, canny],
        path.join(own, 'out.png'),
        options('png'),
        {
          signal: controller.signal,
          progress: () => {
            throw new Error('there is nothing to show before the edges are found');
          },
        },
      ),
    );
    setImmediate(() => controller.abort());
    const outcome = await search.catch((thrown: ConvolveError) => thrown.failure);
    expect(outcome).toMatchObject({ code: 'cancelled' });
    expect(await readdir(own)).toEqual([]);
    expect(await pictures.bytes()).toBe(4056 * 2746 * 3);
  });

  it('that is cancelled in the middle leaves the old file and nothing else', async () => {
    const { pictures, info, renderer } = await openFile('photos/kitten_4056x2746.jpg', 'cpu');
    const own = await mkdtemp(path.join(folder, 'cancel-'));
    const target = path.join(own, 'out.png');
    await writeFile(target, 'old');
    const controller = new AbortController();
    const bands: number[] = [];
    const outcome = await pictures
      .use(info.id, (picture) =>
        exportPicture({ renderer, codec: directCodec }, picture, heavy, target, options('png'), {
          signal: controller.signal,
          progress: (share) => {
            bands.push(share);
            if (bands.length === 2) controller.abort();
          },
        }),
      )
      .catch((thrown: ConvolveError) => thrown.failure);
    expect(outcome).toMatchObject({ code: 'cancelled' });
    expect(bands.length).toBe(2);
    expect(await readFile(target, 'utf8')).toBe('old');
    expect(await readdir(own)).toEqual(['out.png']);
  });
});
