// Masks as values: what files may hold, what edits do, and where a dragged handle puts a shape.

import { describe, expect, it } from 'vitest';
import { duplicateFilter, replaceByKernel, resetFilter } from '../../../core/edits';
import { filterSchema } from '../../../core/filterSchema';
import { catalogueEntry } from '../../../core/filters';
import { createKernel } from '../../../core/kernel';
import {
  type BrushStroke,
  type Mask,
  type MaskShape,
  maskPoints,
  maximumMaskPoints,
  maximumMaskShapes,
  wholeMask,
} from '../../../core/mask';
import {
  addShape,
  addStroke,
  changeMask,
  changeShape,
  combineShape,
  removeShape,
  setMask,
  setShapeField,
  shapeFields,
} from '../../../core/maskEdits';
import { dragHandle, drawnShape, maskHandles, moveShape, simplifyPath } from '../../../core/maskGeometry';
import { maskSchema } from '../../../core/maskSchema';
import { type Project, parseProject, projectPieces } from '../../../core/project';

const projectText = (project: Project) => [...projectPieces(project)].join('');

const stroke: BrushStroke = { size: 20, hardness: 0.5, flow: 1, erases: false, points: [1, 2, 30.5, 4] };
const rectangle: MaskShape = { combine: 'add', kind: 'rectangle', x: 50, y: 40, width: 20, height: 10, angle: 0 };
const shapes: readonly MaskShape[] = [
  rectangle,
  { ...rectangle, combine: 'subtract', kind: 'ellipse', angle: 30 },
  { combine: 'intersect', kind: 'linear', fromX: 0, fromY: 0, toX: 100.25, toY: -3 },
  { ...rectangle, kind: 'radial', inner: 0.25 },
  { combine: 'add', kind: 'brush', strokes: [stroke, { ...stroke, erases: true, points: [5, 6] }] },
];
const mask: Mask = {
  ...wholeMask({ width: 100, height: 80 }),
  shapes,
  luminance: { low: 0.25, high: 1, softness: 0.1 },
  inverted: true,
  feather: 2.5,
};
const filter = catalogueEntry('gaussian').create('one', 'u8');
const masked = { ...filter, mask };

/** Where a mask is refused, and why. */
const refusal = (value: unknown) => {
  const issue = maskSchema.safeParse(value).error?.issues[0];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
};

describe('a mask in a file', () => {
  it('comes back as it was, and a filter without one has none', () => {
    const project = { picture: null, stack: [masked, { ...filter, id: 'two' }] };
    expect(parseProject(projectText(project), 'x')).toEqual(project);
    expect(projectText(project)).toContain('"points": [1, 2, 30.5, 4]');
    expect(filterSchema.parse(filter)).not.toHaveProperty('mask');
  });

  it('is refused with the place of what does not fit', () => {
    expect(refusal(mask)).toBeUndefined();
    expect(refusal({ ...mask, width: 0 })).toMatch(/^width: /);
    expect(refusal({ ...mask, shapes: [{ ...rectangle, width: -1 }] })).toMatch(/^shapes\.0\.width: /);
    expect(refusal({ ...mask, shapes: [{ ...rectangle, kind: 'star' }] })).toMatch(/^shapes\.0\.kind: /);
    expect(refusal({ ...mask, shapes: Array(maximumMaskShapes + 1).fill(rectangle) })).toMatch(/^shapes: /);
    expect(refusal({ ...mask, luminance: { low: 0.6, high: 0.5, softness: 0 } })).toMatch(/low at most high/);
    expect(refusal({ ...mask, feather: 501 })).toMatch(/^feather: /);
    expect(
      refusal({ ...mask, shapes: [{ combine: 'add', kind: 'brush', strokes: [{ ...stroke, points: [1, 2, 3] }] }] }),
    ).toMatch(/strokes\.0\.points: an x and a y/);
    const half = { ...stroke, points: Array(maximumMaskPoints + 2).fill(1) };
    expect(refusal({ ...mask, shapes: [{ combine: 'add', kind: 'brush', strokes: [half, half] }] })).toMatch(
      /at most 50000 points/,
    );
  });
});

describe('editing a mask', () => {
  it('sets, changes and removes it, and leaves filters without one alone', () => {
    const stack = [filter, { ...filter, id: 'two' }];
    const with2 = setMask(stack, 'two', mask);
    expect(with2).toEqual([filter, { ...filter, id: 'two', mask }]);
    expect(changeMask(with2, 'two', (before) => ({ ...before, feather: 0 }))[1]?.mask?.feather).toBe(0);
    expect(changeMask(with2, 'one', () => wholeMask({ width: 1, height: 1 }))).toEqual(with2);
    expect(setMask(with2, 'two', null)).toEqual(stack);
    expect(setMask(with2, 'two', null)[1]).not.toHaveProperty('mask');
  });

  it('stays with a filter that is duplicated, reset or made a kernel', () => {
    expect(duplicateFilter([masked], 'one', 'copy')[1]?.mask).toBe(mask);
    expect(resetFilter([{ ...masked, border: { kind: 'wrap' } }], 'one', filter)[0]).toEqual(masked);
    expect(replaceByKernel([masked], 'one', 'k', createKernel(1, 1, [1]))[0]?.mask).toBe(mask);
  });

  it('adds, changes and removes shapes by their place', () => {
    const one = addShape(wholeMask(mask), rectangle);
    expect(one.shapes).toEqual([rectangle]);
    expect(combineShape(one, 0, 'subtract').shapes).toEqual([{ ...rectangle, combine: 'subtract' }]);
    expect(changeShape(one, 7, () => shapes[1]!)).toEqual(one);
    expect(removeShape(mask, 1).shapes).toEqual(shapes.filter((_shape, index) => index !== 1));
    const full = { ...mask, shapes: Array<MaskShape>(maximumMaskShapes).fill(rectangle) };
    expect(() => addShape(full, rectangle)).toThrow(/at most 64/);
  });

  it('adds strokes up to the most points', () => {
    expect(maskPoints(mask)).toBe(3);
    const added = addStroke(mask, 4, stroke);
    expect(maskPoints(added)).toBe(5);
    const long = { ...stroke, points: Array<number>(2 * maximumMaskPoints).fill(1) };
    expect(() => addStroke(mask, 4, long)).toThrow(/at most 50000.*50003/);
  });

  it('holds typed numbers in their limits', () => {
    expect(setShapeField(rectangle, 'width', -3)).toEqual({ ...rectangle, width: 0 });
    expect(setShapeField(rectangle, 'fromX', 3)).toBe(rectangle);
    expect(setShapeField(rectangle, 'angle', Number.NaN)).toBe(rectangle);
    for (const shape of shapes)
      for (const field of shapeFields(shape)) expect(setShapeField(shape, field, 0.5)).toHaveProperty(field, 0.5);
  });
});

describe('the handles of a shape', () => {
  it('lie on the sides and corners of the box, turned with it', () => {
    const at = (shape: MaskShape, name: string) => maskHandles(shape, 6).find((handle) => handle.name === name);
    expect(at(rectangle, 'e')).toEqual({ name: 'e', x: 60, y: 40 });
    expect(at(rectangle, 'nw')).toEqual({ name: 'nw', x: 40, y: 35 });
    expect(at(rectangle, 'rotate')).toEqual({ name: 'rotate', x: 50, y: 29 });
    // A quarter turn counter-clockwise: what was right is up.
    const turned = at({ ...rectangle, angle: 90 }, 'e');
    expect(turned?.x).toBeCloseTo(50, 10);
    expect(turned?.y).toBeCloseTo(30, 10);
    expect(maskHandles({ combine: 'add', kind: 'brush', strokes: [] }, 6)).toEqual([]);
  });

  it('move one side or corner and leave the one across where it is', () => {
    expect(dragHandle(rectangle, 'e', { x: 70, y: 0 })).toEqual({ ...rectangle, x: 55, width: 30 });
    expect(dragHandle(rectangle, 'nw', { x: 30, y: 25 })).toEqual({
      ...rectangle,
      x: 45,
      y: 35,
      width: 30,
      height: 20,
    });
    // Dragged across to the other side, the box is turned over, never negative.
    expect(dragHandle(rectangle, 'e', { x: 30, y: 40 })).toEqual({ ...rectangle, x: 35, width: 10 });
    const turned = { ...rectangle, angle: 90 };
    expect(dragHandle(turned, 'e', { x: 50, y: 20 })).toEqual({ ...turned, y: 35, width: 30 });
  });

  it('each come to lie where they are dragged to, whatever the shape and its angle', () => {
    for (const shape of shapes)
      for (const { name, x, y } of maskHandles(shape, 10)) {
        if (name === 'rotate' || name === 'inner') continue;
        const to = { x: x + 3, y: y - 2 };
        const dragged = maskHandles(dragHandle(shape, name, to), 10).find((handle) => handle.name === name);
        // A side moves along its own direction only.
        if (!['n', 'e', 's', 'w'].includes(name))
          expect(Math.hypot((dragged?.x ?? 0) - to.x, (dragged?.y ?? 0) - to.y)).toBeLessThan(0.05);
      }
  });

  it('turn the box to where they are dragged, in steps of 15° where asked', () => {
    expect(dragHandle(rectangle, 'rotate', { x: 0, y: 40 })).toEqual({ ...rectangle, angle: 90 });
    expect(dragHandle(rectangle, 'rotate', { x: 51, y: 0 }, true)).toEqual({ ...rectangle, angle: 0 });
    const radial = shapes[3]!;
    expect(dragHandle(radial, 'inner', { x: 55, y: 40 })).toEqual({ ...radial, inner: 0.5 });
    expect(dragHandle(radial, 'inner', { x: 500, y: 40 })).toEqual({ ...radial, inner: 1 });
  });

  it('move brushes and gradients as a whole', () => {
    expect(moveShape(shapes[2]!, 1, 2)).toMatchObject({ fromX: 1, fromY: 2, toX: 101.25, toY: -1 });
    expect(moveShape(shapes[4]!, 1, 2)).toMatchObject({ strokes: [{ points: [2, 4, 31.5, 6] }, { points: [6, 8] }] });
  });
});

describe('drawing a shape', () => {
  it('goes from corner to corner, and a radial gradient from its centre', () => {
    const [from, to] = [
      { x: 30, y: 20 },
      { x: 10, y: 50 },
    ];
    expect(drawnShape('rectangle', from, to)).toEqual({
      kind: 'rectangle',
      x: 20,
      y: 35,
      width: 20,
      height: 30,
      angle: 0,
    });
    expect(drawnShape('ellipse', from, to, true)).toMatchObject({ x: 15, y: 35, width: 30, height: 30 });
    expect(drawnShape('radial', from, to)).toMatchObject({ x: 30, y: 20, width: 40, height: 60, inner: 0.5 });
    expect(drawnShape('linear', from, to)).toEqual({ kind: 'linear', fromX: 30, fromY: 20, toX: 10, toY: 50 });
    expect(drawnShape('linear', { x: 0, y: 0 }, { x: 10, y: 0.5 }, true)).toMatchObject({ toY: 0 });
  });

  it('keeps of a stroke only the points that bend it', () => {
    expect(simplifyPath([0, 0, 1, 0.01, 2, 0, 3, 5, 4, 0], 0.1)).toEqual([0, 0, 2, 0, 3, 5, 4, 0]);
    expect(simplifyPath([1, 1], 0.1)).toEqual([1, 1]);
  });
});
