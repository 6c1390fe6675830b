import { describe, expect, it } from 'vitest';
import {
  addTurns,
  type Camera,
  fitZoom,
  holdPicture,
  levelForZoom,
  limitZoom,
  maximumZoom,
  minimumZoom,
  panBy,
  pictureToScreen,
  screenBox,
  screenToPicture,
  tilesIn,
  turnedSize,
  visibleAtLevel,
  zoomAbout,
  zoomStep,
} from '../../../renderer/viewport/geometry';

const viewport = { width: 800, height: 600 };

describe('the level for a zoom', () => {
  it('is the one whose pixels show between half and full size', () => {
    expect([1, 0.9, 0.51, 0.5, 0.49, 0.26, 0.25, 0.125, 0.1].map(levelForZoom)).toEqual([0, 0, 0, 1, 1, 1, 2, 3, 3]);
  });
  it('is 0 from 100 % on and never above 12', () => {
    expect(levelForZoom(1.01)).toBe(0);
    expect(levelForZoom(64)).toBe(0);
    expect(levelForZoom(1e-6)).toBe(12);
  });
  it('shows pixels of that level at more than half and at most full size, at any zoom', () => {
    for (let zoom = 0.03; zoom < 1; zoom *= 1.013) {
      const scale = zoom * 2 ** levelForZoom(zoom);
      expect(scale).toBeGreaterThan(0.4999999);
      expect(scale).toBeLessThanOrEqual(1.0000001);
    }
  });
});

describe('the camera', () => {
  it('turns screen points into picture points and back', () => {
    const camera: Camera = { centre: { x: 123.5, y: 77 }, zoom: 2.5, turns: 0 };
    const point = { x: 31, y: 590 };
    const back = pictureToScreen(camera, viewport, screenToPicture(camera, viewport, point));
    expect(back.x).toBeCloseTo(point.x, 9);
    expect(back.y).toBeCloseTo(point.y, 9);
  });
  it('keeps the picture point under the pointer when it zooms about it', () => {
    const camera: Camera = { centre: { x: 500, y: 400 }, zoom: 0.4, turns: 0 };
    const pointer = { x: 612, y: 81 };
    const fixed = screenToPicture(camera, viewport, pointer);
    for (const zoom of [0.03, 1, 7.5, 64]) {
      const after = screenToPicture(zoomAbout(camera, viewport, pointer, zoom), viewport, pointer);
      expect(after.x).toBeCloseTo(fixed.x, 6);
      expect(after.y).toBeCloseTo(fixed.y, 6);
    }
  });
  it('follows a drag pixel for pixel', () => {
    const camera: Camera = { centre: { x: 500, y: 400 }, zoom: 4, turns: 0 };
    const before = pictureToScreen(camera, viewport, { x: 510, y: 410 });
    const after = pictureToScreen(panBy(camera, 30, -20), viewport, { x: 510, y: 410 });
    expect(after.x - before.x).toBeCloseTo(30, 9);
    expect(after.y - before.y).toBeCloseTo(-20, 9);
  });
  it('keeps its promises when the picture is turned', () => {
    for (const turns of [1, 2, 3] as const) {
      const camera: Camera = { centre: { x: 500, y: 400 }, zoom: 4, turns };
      const pointer = { x: 612, y: 81 };
      const under = screenToPicture(camera, viewport, pointer);
      const back = pictureToScreen(camera, viewport, under);
      expect(back.x).toBeCloseTo(pointer.x, 9);
      expect(back.y).toBeCloseTo(pointer.y, 9);
      const zoomed = screenToPicture(zoomAbout(camera, viewport, pointer, 0.7), viewport, pointer);
      expect(zoomed.x).toBeCloseTo(under.x, 9);
      expect(zoomed.y).toBeCloseTo(under.y, 9);
      const panned = pictureToScreen(panBy(camera, 30, -20), viewport, under);
      expect(panned.x - pointer.x).toBeCloseTo(30, 9);
      expect(panned.y - pointer.y).toBeCloseTo(-20, 9);
    }
  });
  it('turns clockwise: the picture’s right is the screen’s bottom, and a tall picture is wide', () => {
    const camera: Camera = { centre: { x: 50, y: 50 }, zoom: 1, turns: 1 };
    expect(pictureToScreen(camera, viewport, { x: 60, y: 50 })).toEqual({ x: 400, y: 310 });
    expect(pictureToScreen(camera, viewport, { x: 50, y: 60 })).toEqual({ x: 390, y: 300 });
    expect(screenBox(camera, viewport, { x: 50, y: 50, width: 10, height: 3 })).toEqual({
      ...{ x: 397, y: 300, width: 3, height: 10 },
    });
    expect(turnedSize({ width: 3, height: 4 }, 3)).toEqual({ width: 4, height: 3 });
    expect([addTurns(3, 1), addTurns(0, -1), addTurns(2, 2)]).toEqual([0, 3, 0]);
    expect(visibleAtLevel(camera, viewport, { width: 1000, height: 1000 }, 0)).toEqual({
      ...{ x: 0, y: 0, width: 350, height: 450 },
    });
  });
  it('centres what fits and never loses what does not', () => {
    const picture = { width: 1000, height: 100 };
    const held = holdPicture({ centre: { x: -9000, y: 3 }, zoom: 2, turns: 0 }, viewport, picture);
    expect(held.centre).toEqual({ x: 0, y: 50 });
    expect(holdPicture({ centre: { x: 9000, y: 3 }, zoom: 2, turns: 0 }, viewport, picture).centre.x).toBe(1000);
  });
  it('fits the whole picture with its margin, and enlarges a small one only to the largest zoom', () => {
    const zoom = fitZoom({ width: 4000, height: 1000 }, viewport, 16);
    expect(4000 * zoom).toBeCloseTo(800 - 32, 9);
    expect(fitZoom({ width: 1, height: 1 }, viewport, 16)).toBe(maximumZoom);
  });
  it('limits the zoom to 3 % … 6400 %, and lower only for a picture whose Fit is lower', () => {
    expect(limitZoom(0.001, 0.5)).toBe(minimumZoom);
    expect(limitZoom(0.001, 0.01)).toBe(0.01);
    expect(limitZoom(1000, 0.5)).toBe(64);
  });
  it('steps by √2 through 50, 100 and 200 %', () => {
    expect(zoomStep(1, 1)).toBeCloseTo(Math.SQRT2, 12);
    expect(zoomStep(zoomStep(1, 1), 1)).toBeCloseTo(2, 12);
    expect(zoomStep(zoomStep(1, -1), -1)).toBeCloseTo(0.5, 12);
    expect(zoomStep(0.9, 1)).toBeCloseTo(1, 12);
    expect(zoomStep(1.1, -1)).toBeCloseTo(1, 12);
  });
});

describe('what is visible', () => {
  const picture = { width: 4000, height: 3000 };
  it('is the part of the level that the viewport shows, whole pixels outwards', () => {
    const camera: Camera = { centre: { x: 2000, y: 1500 }, zoom: 0.25, turns: 0 };
    // 800 / 0.25 = 3200 picture pixels = 800 of level 2, from (2000 − 1600) / 4 = 100.
    expect(visibleAtLevel(camera, viewport, picture, 2)).toEqual({ x: 100, y: 75, width: 800, height: 600 });
  });
  it('ends at the picture, whose last block may be cut', () => {
    const camera: Camera = { centre: { x: 4000, y: 3000 }, zoom: 0.25, turns: 0 };
    const visible = visibleAtLevel(camera, viewport, { width: 4001, height: 3000 }, 2);
    expect(visible.x + visible.width).toBe(1001);
    expect(visible.y + visible.height).toBe(750);
  });
  it('is only the side of the split that shows the layer', () => {
    const camera: Camera = { centre: { x: 2000, y: 1500 }, zoom: 0.25, turns: 0 };
    const left = visibleAtLevel(
      camera,
      viewport,
      picture,
      2,
      { x: 0, y: 0 },
      { x: 0, y: 0, width: 300, height: viewport.height },
    );
    const right = visibleAtLevel(
      camera,
      viewport,
      picture,
      2,
      { x: 0, y: 0 },
      { x: 300, y: 0, width: 500, height: viewport.height },
    );
    expect([left.x, left.width, right.x, right.width]).toEqual([100, 300, 400, 500]);
  });
  it('is moved where the result begins inside the picture', () => {
    const camera: Camera = { centre: { x: 400, y: 300 }, zoom: 1, turns: 0 };
    const smaller = { width: 790, height: 590 };
    expect(visibleAtLevel(camera, viewport, smaller, 0, { x: 5, y: 5 })).toEqual({ x: 0, y: 0, ...smaller });
  });
  it('is nothing where the picture is off the screen', () => {
    const camera: Camera = { centre: { x: -5000, y: 0 }, zoom: 1, turns: 0 };
    expect(visibleAtLevel(camera, viewport, picture, 0).width).toBe(0);
  });
});

describe('the tiles of a part of a level', () => {
  const level = { width: 600, height: 520 };
  it('are those of the 256-pixel grid that it touches, cut at the edge, with row · columns + column', () => {
    expect(tilesIn({ x: 255, y: 511, width: 2, height: 2 }, level)).toEqual([
      { index: 3, rectangle: { x: 0, y: 256, width: 256, height: 256 } },
      { index: 4, rectangle: { x: 256, y: 256, width: 256, height: 256 } },
      { index: 6, rectangle: { x: 0, y: 512, width: 256, height: 8 } },
      { index: 7, rectangle: { x: 256, y: 512, width: 256, height: 8 } },
    ]);
  });
  it('cover the level once', () => {
    const tiles = tilesIn({ x: 0, y: 0, ...level }, level);
    const area = tiles.reduce((sum, { rectangle }) => sum + rectangle.width * rectangle.height, 0);
    expect(area).toBe(600 * 520);
    expect(tiles.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
  it('are none for an empty part', () => {
    expect(tilesIn({ x: 10, y: 10, width: 0, height: 5 }, level)).toEqual([]);
  });
});
