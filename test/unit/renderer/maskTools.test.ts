// Undo in the middle of a drag with a tool of masks: it takes that drag back and nothing else, and the drag goes on.

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ImageInfo } from '../../../core/document';
import type { MaskShape } from '../../../core/mask';
import { editor } from '../../../renderer/editor';
import { brushTool } from '../../../renderer/mask/brushTool';
import { drawTool } from '../../../renderer/mask/drawTool';
import { pageStore, selectedFilter } from '../../../renderer/store';

const image: ImageInfo = {
  ...{ id: 1, name: 'a.png', width: 100, height: 100, channels: 3, alpha: false, sampleType: 'u8', format: 'png' },
  ...{ profile: 'sRGB', light: 'srgb', page: 1, pages: 1, fileBytes: 1, warnings: [] },
  carries: { profile: 0, exif: 0, xmp: 0, iptc: 0, exifInJpeg: 'whole', resolution: false },
};
let nextImage = 1;
const at = (x: number, y = 50) => ({ x, y });
const pressed = (x: number) => ({ button: 0, altKey: false, shiftKey: false, clientX: x, clientY: 50 }) as PointerEvent;

const mask = () => selectedFilter(pageStore.getState())?.mask;
const strokes = () => {
  const shape: MaskShape | undefined = mask()?.shapes[0];
  return shape?.kind === 'brush' ? shape.strokes.map(({ points }) => points) : [];
};

beforeEach(() => {
  // Frames come at once.
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => {
    draw();
    return 0;
  });
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  nextImage += 1;
  editor.showDocument({
    kind: 'document',
    image: { ...image, id: nextImage },
    stack: [],
    project: null,
    unsaved: false,
  });
  editor.add('gaussian');
});

describe('undo in the middle of a drag', () => {
  it('with the brush leaves the strokes before, and the stroke that goes on is one step', () => {
    const brush = brushTool();
    brush.press(at(10), pressed(10));
    brush.release(at(10), false);
    const before = strokes();
    brush.press(at(50), pressed(50));
    brush.drag(at(60), pressed(60));
    editor.undo();
    expect(strokes()).toEqual(before);
    for (const x of [70, 80, 90]) brush.drag(at(x), pressed(x));
    brush.release(at(90), false);
    expect(strokes()).toEqual([...before, [50, 50, 90, 50]]);
    editor.undo();
    expect(strokes()).toEqual(before);
  });

  it('takes away the brush that came with the stroke, and no mask stays', () => {
    const brush = brushTool();
    brush.press(at(50), pressed(50));
    editor.undo();
    brush.drag(at(60), pressed(60));
    brush.release(at(60), false);
    expect(mask()).toBeUndefined();
  });

  it('of a shape draws it anew, as one step', () => {
    const tool = drawTool('rectangle');
    tool.press(at(10), pressed(10));
    tool.drag(at(40, 80), pressed(40));
    editor.undo();
    expect(mask()).toBeUndefined();
    for (const x of [50, 60]) tool.drag(at(x, 80), pressed(x));
    tool.release(at(60, 80), false);
    expect(mask()?.shapes).toMatchObject([{ kind: 'rectangle', width: 50 }]);
    editor.undo();
    expect(mask()).toBeUndefined();
  });
});
