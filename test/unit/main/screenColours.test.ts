// What the page gets to see of pictures with a colour profile: sRGB by the colour engine, the same as a file converted on
// export, in the order in which it was computed; and nothing touched where nothing has to be.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { standardExport } from '../../../core/exportOptions';
import type { MainMessage, RenderRequest, ScreenSpace, TilesMessage } from '../../../core/pixelPort';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { directCodec } from '../../../main/codec/directCodec';
import { encodePicture } from '../../../main/codec/encode';
import { createExportSamples } from '../../../main/codec/exportFormat';
import { exportSubject } from '../../../main/codec/exportSubject';
import { OpenPictures } from '../../../main/images';
import { readPictureFile } from '../../../main/pictureFile';
import { type PixelPort, servePixelPort } from '../../../main/pixelPort';
import { Renderer } from '../../../main/render';
import { ScreenColours } from '../../../main/screenColours';
import { FakeEngine } from './fakeEngine';
import { fixturePath } from './fixtures';
import { madePicture } from './pictures';

const load = async (file: string) => decodePicture(await readPictureFile(fixturePath(file)), path.basename(file));

/** Opens the picture, asks for all of it over a port, and gives what the page was sent until it was done. */
async function messagesFor(
  picture: DecodedPicture,
  codec = directCodec,
  screen: ScreenSpace = 'srgb',
): Promise<readonly MainMessage[]> {
  const engine = new FakeEngine();
  const pictures = new OpenPictures(engine);
  const info = await pictures.add(picture, { name: 'x', format: 'png', fileBytes: 0, folder: null });
  const { port1, port2 } = new MessageChannel();
  const messages: MainMessage[] = [];
  const done = new Promise<void>((resolve) => {
    port2.on('message', (message: MainMessage) => {
      messages.push(message);
      if (message.kind === 'tiles') port2.postMessage({ kind: 'tilesReceived', sequence: message.sequence });
      else resolve();
    });
  });
  // Electron wraps what arrives in an event.
  const served: PixelPort = {
    on: (event: string, listener: (value: never) => void) =>
      port1.on(event, (value: unknown) => listener((event === 'message' ? { data: value } : value) as never)),
    postMessage: (message) => port1.postMessage(message),
    start: () => port1.start(),
  };
  servePixelPort(served, pictures, new Renderer(engine, () => 'auto'), new ScreenColours(codec));
  const request: RenderRequest = {
    kind: 'render',
    sequence: 1,
    layer: 'original',
    imageId: info.id,
    stack: [],
    level: 0,
    visible: { x: 0, y: 0, width: info.width, height: info.height },
    draft: false,
    screen,
    have: [],
  };
  port2.postMessage(request);
  await done;
  port1.close();
  return messages;
}

const tilesOf = (messages: readonly MainMessage[]) =>
  messages.filter((message): message is TilesMessage => message.kind === 'tiles');

interface Patches {
  readonly cell: number;
  readonly cols: number;
  readonly srgb: readonly (readonly number[])[];
}
const expected = (
  JSON.parse(readFileSync(fixturePath('icc/expected_srgb.json'), 'utf8')) as { files: Record<string, Patches> }
).files;

describe('a picture with a profile of its own', () => {
  for (const name of ['displayp3.png', 'adobergb.png', 'rec2020.png', 'swapped_red_blue.png', 'adobergb.webp'])
    it(`${name} is shown in the colours of a colour engine, within a level`, async () => {
      const picture = await load(`icc/${name}`);
      const [tile] = tilesOf(await messagesFor(picture));
      const { cell, cols, srgb } = expected[name]!;
      srgb.forEach((wanted, index) => {
        const x = (index % cols) * cell + cell / 2;
        const y = Math.floor(index / cols) * cell + cell / 2;
        const start = (y * picture.width + x) * picture.channels;
        wanted.forEach((value, channel) => {
          expect(Math.abs(tile!.pixels[start + channel]! - value), `patch ${index}`).toBeLessThanOrEqual(1);
        });
      });
    });

  it('is shown as the file that is exported as sRGB, bit for bit', async () => {
    const picture = await load('icc/displayp3.png');
    const options = { ...standardExport, profile: 'srgb' } as const;
    const subject = exportSubject(picture, picture, options);
    const container = createExportSamples(subject, options);
    container.samples.set(picture.samples);
    const file = await decodePicture(Buffer.concat(await encodePicture(subject, container, options)), 'x');
    const [tile] = tilesOf(await messagesFor(picture));
    expect(Buffer.from(tile!.pixels).equals(Buffer.from(file.samples.buffer, file.samples.byteOffset))).toBe(true);
  });

  it('of grey is shown in grey, with its own curve', async () => {
    const picture = await load('icc/gray_gamma.png');
    const [tile] = tilesOf(await messagesFor(picture));
    expect(tile).toMatchObject({ channels: 1, rectangle: { width: picture.width, height: picture.height } });
    expect(tile!.pixels).toHaveLength(picture.samples.length);
  });

  it('keeps its alpha', async () => {
    const opaque = await load('icc/displayp3.png');
    const pixels = opaque.width * opaque.height;
    const samples = Uint8Array.from({ length: pixels * 4 }, (_, index) => (index * 7) % 256);
    const picture: DecodedPicture = { ...opaque, samples, channels: 4, alpha: true };
    const [tile] = tilesOf(await messagesFor(picture));
    for (let index = 3; index < samples.length; index += 4) expect(tile!.pixels[index]).toBe(samples[index]);
  });
});

describe('on a screen of Display P3', () => {
  const shown = async (file: string) => tilesOf(await messagesFor(await load(file), directCodec, 'displayP3'))[0]!;
  const bytesOf = (pixels: Uint8Array) => Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);

  it('numbers of Display P3 are shown as they are', async () => {
    const { samples } = await load('icc/displayp3.png');
    const tile = await shown('icc/displayp3.png');
    expect(tile.space).toBe('displayP3');
    expect(bytesOf(tile.pixels).equals(bytesOf(samples as Uint8Array))).toBe(true);
  });

  it('a picture without a profile is sent as sRGB, untouched', async () => {
    const { samples } = await load('png/rgb8.png');
    const tile = await shown('png/rgb8.png');
    expect(tile.space ?? 'srgb').toBe('srgb');
    expect(bytesOf(tile.pixels).equals(bytesOf(samples as Uint8Array))).toBe(true);
  });

  it('other numbers become those of Display P3: neutral stays neutral, saturated ones come nearer to grey', async () => {
    const picture = await load('icc/rec2020.png');
    const tile = await shown('icc/rec2020.png');
    const narrow = tilesOf(await messagesFor(picture))[0]!;
    expect(tile.space).toBe('displayP3');
    const spread = (pixels: Uint8Array) => {
      let most = 0;
      for (let pixel = 0; pixel < pixels.length; pixel += 3) {
        const [r = 0, g = 0, b = 0] = pixels.subarray(pixel, pixel + 3);
        most += Math.max(r, g, b) - Math.min(r, g, b);
      }
      return most;
    };
    expect(spread(tile.pixels)).toBeLessThan(spread(narrow.pixels));
    expect(spread(tile.pixels)).toBeGreaterThan(spread(picture.samples as Uint8Array));
  });
});

describe('tiles that need no conversion', () => {
  it('are sent as they are, without the codec: no profile', async () => {
    const asked: string[] = [];
    const codec = {
      ...directCodec,
      toScreen: (...words: Parameters<typeof directCodec.toScreen>) => {
        asked.push('tiles');
        return directCodec.toScreen(...words);
      },
    };
    const picture = await load('png/rgb8.png');
    const [tile] = tilesOf(await messagesFor(picture, codec));
    expect(asked).toEqual([]);
    expect(Buffer.from(tile!.pixels).equals(Buffer.from(picture.samples.buffer, picture.samples.byteOffset))).toBe(
      true,
    );
  });

  it('are asked for once for the picture: a profile that is sRGB in all but its bytes', async () => {
    const asked: number[] = [];
    const codec = {
      ...directCodec,
      toScreen: (...words: Parameters<typeof directCodec.toScreen>) => {
        asked.push(words[0].width);
        return directCodec.toScreen(...words);
      },
    };
    const wide = madePicture(2600, 1500, 3);
    const srgb = await encodedProfile();
    const messages = await messagesFor({ ...wide, iccProfile: srgb }, codec);
    expect(tilesOf(messages).length).toBeGreaterThan(10);
    expect(asked).toHaveLength(1);
  });

  it('are shown as they are where the profile cannot be used', async () => {
    const picture = { ...(await load('png/rgb8.png')), iccProfile: Uint8Array.of(1, 2, 3) };
    const [tile] = tilesOf(await messagesFor(picture));
    expect(Buffer.from(tile!.pixels).equals(Buffer.from(picture.samples.buffer, picture.samples.byteOffset))).toBe(
      true,
    );
  });
});

/** The profile of an export to sRGB. */
async function encodedProfile(): Promise<Uint8Array> {
  const picture = await load('icc/displayp3.png');
  const options = { ...standardExport, profile: 'srgb' } as const;
  const subject = exportSubject(picture, picture, options);
  const container = createExportSamples(subject, options);
  const file = await decodePicture(Buffer.concat(await encodePicture(subject, container, options)), 'x');
  return file.iccProfile!;
}

describe('messages', () => {
  it('keep their order: the end comes after every tile', async () => {
    const wide = { ...madePicture(2600, 1500, 3), iccProfile: (await load('icc/displayp3.png')).iccProfile };
    const kinds = (await messagesFor(wide)).map(({ kind }) => kind);
    expect(kinds.at(-1)).toBe('done');
    expect(kinds.filter((kind) => kind === 'tiles')).toHaveLength(kinds.length - 1);
    expect(kinds.length).toBeGreaterThan(10);
  });
});
