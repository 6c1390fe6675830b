// A kernel written as a picture and read again as any picture is: the same kernel.

import { describe, expect, it } from 'vitest';
import { writeKernelPicture } from '../../../core/interchange/floatTiff';
import { createKernel, type Kernel, rewriteAs } from '../../../core/kernel';
import { kernelFromPicture } from '../../../core/pictureKernel';
import { decodePicture } from '../../../main/codec/decode';
import { resolutionOfTiff } from '../../../main/codec/resolution';

async function readAgain(kernel: Kernel): Promise<Kernel> {
  const { width, height, channels, alpha, sampleType, samples } = await decodePicture(
    Uint8Array.from(writeKernelPicture(kernel).content),
    'kernel.tif',
  );
  expect(sampleType).toBe('f32');
  const picture = {
    name: 'kernel.tif',
    width,
    height,
    channels,
    alpha,
    sampleType,
    samples: Float32Array.from(samples),
  };
  return kernelFromPicture(picture, { zero: 0, light: 'linear', below: 'negative' });
}

describe('a kernel as a picture', () => {
  it.each([
    ['an emboss', createKernel(3, 3, [-2, -1, 0, -1, 1, 1, 0, 1, 2], { divisor: 1 })],
    [
      'more columns than rows, as a convolution',
      createKernel(
        5,
        3,
        Array.from({ length: 15 }, (_, i) => i / 4 - 1),
        { orientation: 'convolution' },
      ),
    ],
    ['one cell', createKernel(1, 1, [3])],
    ['zeros', createKernel(3, 1, [0, 0, 0])],
  ] as const)('keeps %s', async (_name, kernel) => {
    expect(writeKernelPicture(kernel).losses).toEqual([]);
    const again = rewriteAs(await readAgain(kernel), kernel.orientation);
    expect(again.weights).toEqual(kernel.weights);
    expect([again.width, again.height, again.anchorX, again.anchorY]).toEqual([
      ...[kernel.width, kernel.height],
      ...[kernel.anchorX, kernel.anchorY],
    ]);
  });

  it('says its resolution, as files of TIFF 6.0 have to, and keeps its tags in order', () => {
    const { content } = writeKernelPicture(createKernel(3, 200, new Array<number>(600).fill(1)));
    expect(resolutionOfTiff(content)).toBeNull();
    const view = new DataView(content.buffer, content.byteOffset);
    const tags = Array.from({ length: view.getUint16(8, true) }, (_, entry) => view.getUint16(10 + 12 * entry, true));
    expect(tags).toEqual([...tags].sort((a, b) => a - b));
    const place = (tag: number) => 10 + 12 * tags.indexOf(tag);
    for (const tag of [282, 283]) {
      const at = view.getUint32(place(tag) + 8, true);
      expect([view.getUint16(place(tag) + 2, true), view.getUint32(place(tag) + 4, true)]).toEqual([5, 1]);
      expect([view.getUint32(at, true), view.getUint32(at + 4, true)]).toEqual([1, 1]);
    }
    expect(view.getUint16(place(296) + 8, true)).toBe(1);
  });

  it('says what it does not hold', () => {
    const losses = (kernel: Kernel) => writeKernelPicture(kernel).losses.map(({ kind }) => kind);
    expect(losses(createKernel(3, 1, [0.1, 0.2, 0.1]))).toEqual(['rounding']);
    expect(losses(createKernel(3, 1, [1, 2, 1], { divisor: 2 }))).toEqual(['divisor']);
    expect(losses(createKernel(3, 1, [1, 2, 1], { divisor: 4 }))).toEqual([]);
    expect(losses(createKernel(3, 1, [1, 0, -1], { bias: 0.5, anchorX: 0 }))).toEqual(['anchor', 'bias']);
    expect(losses(createKernel(3, 1, [1, 0, 1], { absent: [0, 1, 0] }))).toEqual(['absent']);
    expect(() => writeKernelPicture(createKernel(1, 1, [1e60]))).toThrowError('invalidKernel');
  });
});
