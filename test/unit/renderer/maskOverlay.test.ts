// The mask over the picture: after a stroke only the tiles that it touches are asked for.

import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/document';
import { catalogueEntry } from '../../../core/filters';
import { type MaskShape, wholeMask } from '../../../core/mask';
import type { PageMessage, RenderRequest } from '../../../core/pixelPort';
import { MaskOverlay } from '../../../renderer/mask/maskOverlay';
import { maskSubject } from '../../../renderer/mask/maskSubject';
import type { HeldTile } from '../../../renderer/viewport/tileCache';
import { TileCache } from '../../../renderer/viewport/tileCache';

const size = { width: 1024, height: 1024 };
const image = { id: 1, ...size } as Parameters<typeof maskSubject>[0];
const painted = (points: readonly number[], feather = 0): Filter => {
  const stroke = { size: 40, hardness: 1, flow: 1, erases: false, points };
  const shape: MaskShape = { combine: 'add', kind: 'brush', strokes: [stroke] };
  return { ...catalogueEntry('gaussian').create('blur', 'u8'), mask: { ...wholeMask(size), feather, shapes: [shape] } };
};
const camera = { centre: { x: 512, y: 512 }, zoom: 1, turns: 0 } as const;

/** An overlay that holds all tiles of the mask that it shows first. */
function setUp(filter: Filter) {
  const sent: RenderRequest[] = [];
  let sequence = 0;
  const overlay = new MaskOverlay(() => ++sequence, {
    send: (message: PageMessage) => {
      if (message.kind === 'render') sent.push(message);
    },
    ...{ changed: () => {}, arrived: () => {}, failed: () => {} },
  });
  const ask = (next: Filter) => overlay.ask(maskSubject(image, next), camera, size, sequence * 1000);
  ask(filter);
  const source = maskSubject(image, filter)?.source ?? '';
  const bitmap = { close: () => {} } as ImageBitmap;
  const cache = (overlay as unknown as { cache: TileCache<ImageBitmap> }).cache;
  for (let y = 0; y < 1024; y += 256)
    for (let x = 0; x < 1024; x += 256)
      cache.put({
        ...{ sheet: { source, quality: 'exact', level: 0 }, bytes: 4, bitmap, alpha: true },
        rectangle: { x, y, width: 256, height: 256 },
      });
  return { sent, ask };
}

describe('the mask over the picture', () => {
  it('is asked for only where a stroke has grown', () => {
    const { sent, ask } = setUp(painted([100, 100, 200, 100]));
    ask(painted([100, 100, 200, 100, 300, 100]));
    expect(sent).toHaveLength(2);
    // The new line reaches from 180 to 320: the first two of four columns.
    expect(sent[1]?.have).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  });
  it('is asked for as a whole where more has changed', () => {
    const { sent, ask } = setUp(painted([100, 100, 200, 100], 3));
    ask(painted([100, 100, 200, 100, 300, 100], 3));
    expect(sent[1]?.have).toEqual([]);
  });
});

describe('tiles that are handed over', () => {
  it('are those of the other source alone, and let go once', () => {
    const released: string[] = [];
    const cache = new TileCache<string>(1e9, 7, (bitmap) => released.push(bitmap));
    const tile = (x: number, quality: 'exact' | 'draft' = 'exact'): HeldTile<string> => ({
      ...{ sheet: { source: 'a', quality, level: 1 }, rectangle: { x, y: 0, width: 256, height: 256 } },
      ...{ bytes: 4, bitmap: `${quality} ${x}`, alpha: false },
    });
    for (const one of [tile(0), tile(256), tile(0, 'draft')]) cache.put(one);
    cache.handOver('a', 'b', ({ rectangle }) => rectangle.x > 0);
    const held = (source: string) =>
      [0, 256].map((x) => cache.has({ source, quality: 'exact', level: 1 }, { x, y: 0, width: 1, height: 1 }));
    expect([held('a'), held('b'), released, cache.bytes]).toEqual([[true, false], [false, true], [], 12]);
    cache.clear();
    expect(released.toSorted()).toEqual(['draft 0', 'exact 0', 'exact 256']);
  });
});
