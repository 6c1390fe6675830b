// What a scene asks of main: the layers in sight, each once; and that a stop stops all of them.

import { describe, expect, it } from 'vitest';
import type { PageMessage, RenderRequest } from '../../../core/pixelPort';
import type { Subject } from '../../../renderer/viewport/layerFeed';
import type { Scene } from '../../../renderer/viewport/scene';
import { SceneTiles } from '../../../renderer/viewport/sceneTiles';

const size = { width: 500, height: 400 };
const subject = (source: string): Subject => ({ source, imageId: 1, stack: [], size, origin: { x: 0, y: 0 } });
const scene: Scene = {
  imageId: 1,
  ...{ size, alpha: false, original: subject('1'), result: subject('1:blur'), mask: subject('1:mask') },
  ...{ compare: 'result', split: 0.5, splitDirection: 'vertical', differenceGain: 1, clipping: false, signed: null },
};
const camera = { centre: { x: 250, y: 200 }, zoom: 1, turns: 0 } as const;

function setUp() {
  const sent: PageMessage[] = [];
  const tiles = new SceneTiles('srgb', {
    ...{ changed: () => {}, arrived: () => {}, done: () => {}, failed: () => {} },
    send: (message) => sent.push(message),
  });
  const requests = () => sent.filter((message): message is RenderRequest => message.kind === 'render');
  return { tiles, sent, requests };
}

describe('the tiles of a scene', () => {
  it('are asked for where they are in sight, for the colours of the screen', () => {
    const { tiles, requests } = setUp();
    tiles.ask(scene, camera, size);
    tiles.ask(scene, camera, size);
    expect(requests().map(({ layer, screen }) => [layer, screen])).toEqual([
      ['result', 'srgb'],
      ['mask', 'srgb'],
    ]);
    tiles.ask({ ...scene, compare: 'split' }, camera, size);
    expect(requests().map(({ layer }) => layer)).toEqual(['result', 'mask', 'original']);
  });

  it('are all stopped by one stop, the mask over an exact picture too, and go on with it', () => {
    const { tiles, sent, requests } = setUp();
    tiles.ask(scene, camera, size);
    const [result, mask] = requests();
    const done = { backend: 'cpu', milliseconds: 1, resultSize: size } as const;
    tiles.receive({ kind: 'done', sequence: result!.sequence, layer: 'result', ...done });
    expect(tiles.status(scene).busy).toBe(true);
    tiles.stop();
    expect(sent.at(-1)).toEqual({ kind: 'cancel', layer: 'mask', sequence: mask!.sequence });
    expect(tiles.status(scene)).toMatchObject({ busy: false, stopped: true });
    tiles.ask(scene, camera, size);
    expect(requests().filter(({ layer }) => layer === 'mask')).toHaveLength(1);
    tiles.resume();
    tiles.ask(scene, camera, size);
    expect(requests().filter(({ layer }) => layer === 'mask')).toHaveLength(2);
    expect(tiles.status(scene).stopped).toBe(false);
  });

  it('of a new viewport, as for a screen of other colours, are asked for by newer requests than those of the one before', () => {
    const [before, after] = [setUp(), setUp()];
    for (const { tiles } of [before, after]) tiles.ask(scene, camera, size);
    const newest = Math.max(...before.requests().map(({ sequence }) => sequence));
    for (const { sequence } of after.requests()) expect(sequence).toBeGreaterThan(newest);
  });
});
