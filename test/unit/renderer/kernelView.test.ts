import { describe, expect, it } from 'vitest';
import { sampleAt } from '../../../core/border';
import { longPairs } from '../../../core/filterForm';
import { catalogueEntry } from '../../../core/filters';
import { createKernel } from '../../../core/kernel';
import { cellAt, cellBox, gridGeometry, isInside } from '../../../renderer/kernel/gridGeometry';
import { readGridKey } from '../../../renderer/kernel/gridKeys';
import { GridStroke } from '../../../renderer/kernel/gridStroke';
import { contrast, heatColour, peakOf, signedPeaks, textOn } from '../../../renderer/kernel/heat';
import { curvePoints, linesOf } from '../../../renderer/kernel/longKernelLines';
import { pointResponse } from '../../../renderer/kernel/OrientationChoice';
import { canEditAsKernel } from '../../../renderer/kernelActions';
import { borderLetters } from '../../../renderer/panels/BorderPicture';
import { drawnSamples } from '../../../renderer/panels/borderSamples';
import { runningOf, separabilityFacts } from '../../../renderer/separability/separabilityFacts';

describe('keys in the grid', () => {
  const key = (name: string, shiftKey = false, ctrlKey = false) => ({ key: name, shiftKey, ctrlKey });
  const move = (x: number, y: number) => ({ kind: 'move', to: { x, y } });
  it('arrows move, Enter goes down, Shift+Enter up, and the edge holds', () => {
    expect(readGridKey({ x: 1, y: 1 }, key('ArrowLeft'), 3, 3, false)).toEqual(move(0, 1));
    expect(readGridKey({ x: 1, y: 1 }, key('Enter'), 3, 3, true)).toEqual(move(1, 2));
    expect(readGridKey({ x: 1, y: 1 }, key('Enter', true), 3, 3, false)).toEqual(move(1, 0));
    expect(readGridKey({ x: 2, y: 2 }, key('ArrowDown'), 3, 3, false)).toEqual(move(2, 2));
    expect(readGridKey({ x: 2, y: 2 }, key('Home', false, true), 3, 3, false)).toEqual(move(0, 0));
  });
  it('left and right belong to the text while one types', () => {
    expect(readGridKey({ x: 1, y: 1 }, key('ArrowLeft'), 3, 3, true)).toBeNull();
    expect(readGridKey({ x: 1, y: 1 }, key('End'), 3, 3, true)).toBeNull();
    expect(readGridKey({ x: 1, y: 1 }, key('Delete'), 3, 3, true)).toBeNull();
    expect(readGridKey({ x: 1, y: 1 }, key(' '), 3, 3, true)).toBeNull();
    expect(readGridKey({ x: 1, y: 1 }, key('5'), 3, 3, false)).toBeNull();
  });
  it('Tab goes on from a typed number, over the end of the row, and else leaves the grid', () => {
    expect(readGridKey({ x: 2, y: 0 }, key('Tab'), 3, 3, true)).toEqual(move(0, 1));
    expect(readGridKey({ x: 0, y: 1 }, key('Tab', true), 3, 3, true)).toEqual(move(2, 0));
    expect(readGridKey({ x: 2, y: 2 }, key('Tab'), 3, 3, true)).toBeNull();
    expect(readGridKey({ x: 0, y: 0 }, key('Tab'), 3, 3, false)).toBeNull();
  });
  it('Page Up and Down nudge, Space paints, Delete clears', () => {
    expect(readGridKey({ x: 0, y: 0 }, key('PageUp'), 3, 3, true)).toEqual({ kind: 'nudge', count: 1, fine: false });
    expect(readGridKey({ x: 0, y: 0 }, key('PageDown', true), 3, 3, false)).toMatchObject({ count: -1, fine: true });
    expect(readGridKey({ x: 0, y: 0 }, key(' '), 3, 3, false)).toEqual({ kind: 'paint' });
    expect(readGridKey({ x: 0, y: 0 }, key('Delete'), 3, 3, false)).toEqual({ kind: 'clear' });
  });
});

describe('where the cells lie', () => {
  it('small kernels fill the panel as numbers, larger ones are whole or scrolled, beyond 63 always whole', () => {
    expect(gridGeometry(3, 3, 345, 'whole')).toMatchObject({ cellWidth: 115, cellHeight: 34, fontSize: 12 });
    expect(gridGeometry(15, 15, 345, 'whole').fontSize).toBeGreaterThan(8);
    expect(gridGeometry(63, 63, 345, 'whole')).toMatchObject({ fontSize: 0, width: 345 });
    const scrolled = gridGeometry(63, 63, 345, 'numbers');
    expect(scrolled.fontSize).toBeGreaterThan(8);
    expect(scrolled.width).toBeGreaterThan(2000);
    expect(scrolled.visibleHeight).toBeLessThan(scrolled.height);
    expect(gridGeometry(64, 3, 345, 'numbers').fontSize).toBe(0);
    expect(gridGeometry(511, 511, 345, 'whole').visibleHeight).toBeLessThanOrEqual(346);
  });
  it('every cell is found again at its middle, and cells leave no gap wider than theirs', () => {
    for (const [columns, rows] of [
      [1, 1],
      [9, 9],
      [2, 63],
      [31, 31],
      [63, 1],
      [511, 300],
    ] as const)
      for (const view of ['whole', 'numbers'] as const) {
        const geometry = gridGeometry(columns, rows, 322, view);
        for (const cell of [
          { x: 0, y: 0 },
          { x: columns - 1, y: rows - 1 },
          { x: columns >> 1, y: rows >> 1 },
        ]) {
          const middle = [(cell.x + 0.5) * geometry.cellWidth, (cell.y + 0.5) * geometry.cellHeight] as const;
          expect(cellAt(geometry, ...middle)).toEqual(cell);
          const box = cellBox(geometry, cell);
          expect(box.left + box.width).toBeLessThanOrEqual(Math.ceil(geometry.width) + 1);
        }
        expect(isInside(geometry, cellAt(geometry, -1, 5))).toBe(false);
        expect(isInside(geometry, cellAt(geometry, geometry.width + 1, 5))).toBe(false);
      }
  });
});

describe('a stroke over the grid', () => {
  const kernel = createKernel(5, 5, new Array(25).fill(0));
  const brush = { value: 1, strength: 1, size: 1, falloff: 0 };
  it('a line follows the pointer back, a brush stroke stays', () => {
    const line = new GridStroke('line', kernel, { x: 0, y: 0 }, brush, null);
    line.goThrough([{ x: 4, y: 0 }]);
    expect(line.goThrough([{ x: 0, y: 2 }]).weights.slice(0, 5)).toEqual([1, 0, 0, 0, 0]);
    const free = new GridStroke('paint', kernel, { x: 0, y: 0 }, brush, null);
    free.goThrough([{ x: 4, y: 0 }]);
    expect(free.goThrough([{ x: 4, y: 1 }]).weights.slice(0, 10)).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 1]);
  });
  it('the eraser writes 0 whatever the brush says, and the anchor stays inside', () => {
    const full = createKernel(3, 1, [4, 5, 6]);
    const eraser = new GridStroke('erase', full, { x: 1, y: 0 }, { ...brush, strength: 0.3 }, null);
    expect(eraser.goThrough([{ x: 1, y: 0 }]).weights).toEqual([4, 0, 6]);
    const anchor = new GridStroke('anchor', full, { x: 1, y: 0 }, brush, null);
    expect(anchor.goThrough([{ x: 9, y: -4 }])).toMatchObject({ anchorX: 2, anchorY: 0, weights: [4, 5, 6] });
  });
  it('under a lock makes the whole kernel symmetric first', () => {
    const skew = createKernel(3, 1, [2, 0, 4]);
    const stroke = new GridStroke('paint', skew, { x: 1, y: 0 }, { ...brush, value: 9 }, 'leftRight');
    expect(stroke.goThrough([{ x: 1, y: 0 }]).weights).toEqual([3, 9, 3]);
  });
});

describe('a bright point', () => {
  it('becomes the turned weights of a correlation, and the weights themselves of a convolution', () => {
    const kernel = createKernel(3, 3, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(pointResponse(kernel, 'correlation').weights).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(pointResponse(kernel, 'convolution').weights).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('the colours of weights', () => {
  it('are orange for positive, blue for negative, grey for 0', () => {
    expect(heatColour(2, 2, 'dark')).toEqual([0xf0, 0x95, 0x4b]);
    expect(heatColour(-2, 2, 'dark')).toEqual([0x4c, 0x8d, 0xd6]);
    expect(heatColour(0, 2, 'dark')).toEqual([0x2a, 0x2b, 0x2f]);
    expect(heatColour(0, 0, 'light')).toEqual([0xe9, 0xea, 0xed]);
  });
  it('carry text that reads at 4.5 to 1 on every cell, in both themes', () => {
    for (const theme of ['dark', 'light'] as const) {
      for (let value = -1; value <= 1.0001; value += 0.01) {
        const cell = heatColour(value, 1, theme);
        expect(contrast(cell, textOn(cell)), `${theme} ${value}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
  it('know the largest of each sign', () => {
    expect(signedPeaks([1, -3, 2])).toEqual({ negative: 3, positive: 2 });
    expect(peakOf([1, -3, 2])).toBe(3);
  });
});

describe('the separability of a kernel', () => {
  it('has rank 1, all its energy in one term and 6 multiply-adds for a binomial 3 × 3', () => {
    const facts = separabilityFacts(createKernel(3, 3, [1, 2, 1, 2, 4, 2, 1, 2, 1]));
    expect(facts).toMatchObject({ rank: 1, fullRank: 3, energyTerms: 1, dense: 9, separable: 6 });
    expect(facts?.energy).toBeCloseTo(1, 12);
  });
  it('has rank 2 for the Laplacian', () => {
    expect(separabilityFacts(createKernel(3, 3, [0, 1, 0, 1, -4, 1, 0, 1, 0]))?.rank).toBe(2);
  });
  it('is not found for kernels too large to wait for, nor for weights that are no numbers', () => {
    expect(separabilityFacts(createKernel(65, 1, new Array(65).fill(1)))).toBeNull();
    expect(separabilityFacts(createKernel(1, 1, [Number.NaN]))).toBeNull();
  });
  it('says how the plan runs it, also while the filter is off', () => {
    const gaussian = { ...catalogueEntry('gaussian').create('a', 'u8'), enabled: false };
    expect(runningOf(gaussian)).toEqual({ kind: 'pairs', count: 1, withPicture: false });
    expect(runningOf(catalogueEntry('unsharp').create('a', 'u8'))).toMatchObject({ kind: 'pairs', withPicture: true });
    expect(runningOf(catalogueEntry('laplacian').create('a', 'u8'))).toEqual({ kind: 'dense' });
    expect(runningOf(catalogueEntry('sobel').create('a', 'u8'))).toEqual({ kind: 'magnitude' });
    expect(runningOf(catalogueEntry('canny').create('a', 'u8'))).toEqual({
      kind: 'pairs',
      count: 1,
      withPicture: false,
    });
  });
});

describe('a kernel larger than a grid', () => {
  const long = (parameters: Parameters<typeof longPairs>[0]) => {
    const weights = longPairs(parameters);
    if (weights === null) throw new Error('a long kernel expected');
    return weights;
  };
  it('is drawn as its rows and columns, once where they are equal', () => {
    expect(linesOf(long({ kind: 'gaussian', sigma: 500 })).map(({ kind }) => kind)).toEqual(['both']);
    const ridge = linesOf(long({ kind: 'laplacianOfGaussian', sigma: 300 }));
    expect(ridge.map(({ kind, pair }) => `${kind} ${pair}`)).toEqual(['row 1', 'column 1', 'row 2', 'column 2']);
  });
  it('stays inside the drawing, with zero in it, and few points', () => {
    for (const { values } of linesOf(long({ kind: 'laplacianOfGaussian', sigma: 400 }))) {
      const points = curvePoints(values, 240, 56).split(' ');
      expect(points.length).toBeLessThanOrEqual(481);
      for (const point of points) {
        const [x = Number.NaN, y = Number.NaN] = point.split(',').map(Number);
        expect(x >= 0 && x <= 240 && y >= 0 && y <= 56, point).toBe(true);
      }
    }
  });
  it('cannot be edited as a grid, and its plan is known', () => {
    const wide = { ...catalogueEntry('gaussian').create('a', 'u8'), kind: 'gaussian', sigma: 500 } as const;
    expect(canEditAsKernel(wide)).toBe(false);
    expect(canEditAsKernel({ ...wide, sigma: 62 })).toBe(true);
    expect(runningOf(wide)).toEqual({ kind: 'pairs', count: 1, withPicture: false });
  });
});

describe('the drawing of a border', () => {
  it('shows the samples that each border reads', () => {
    expect(borderLetters('replicate')).toBe('a a a | a b c d | d d d');
    expect(borderLetters('reflect')).toBe('c b a | a b c d | d c b');
    expect(borderLetters('mirror')).toBe('d c b | a b c d | c b a');
    expect(borderLetters('wrap')).toBe('b c d | a b c d | a b c');
    expect(borderLetters('zero')).toBe('· · · | a b c d | · · ·');
    expect(drawnSamples('constant')).toHaveLength(10);
  });
  it('repeats however far out', () => {
    expect(sampleAt('mirror', -13, 4)).toBe(1);
    expect(sampleAt('wrap', 41, 4)).toBe(1);
    expect(sampleAt('reflect', -9, 4)).toBe(0);
    expect(sampleAt('mirror', -5, 1)).toBe(0);
  });
});
