// The changes of a whole kernel that need no number from the person, by name: turns, mirrors, signs, the picture added,
// normalising, and the same filter written in the other orientation.

import { type Kernel, resolveDivisor, rewriteAs } from './kernel';
import { rotateKernel } from './kernelAlgebra';
import { addIdentity, mirrorHorizontally, mirrorVertically, negate, normalise, transpose } from './kernelEdits';

const turned = (degrees: number) => (kernel: Kernel) => rotateKernel(kernel, degrees).kernel;

/** The picture itself added to the result: one more at the anchor, times the divisor, which is fixed where it was automatic. */
function plusPicture(kernel: Kernel): Kernel {
  const { divisor } = resolveDivisor(kernel);
  return addIdentity({ ...kernel, divisor }, divisor);
}

export const kernelOperations = {
  rotateLeft: turned(90),
  rotateRight: turned(270),
  rotateHalf: turned(180),
  /** 45° counter-clockwise: exact for 3 × 3, interpolated for all others. */
  rotateEighth: turned(45),
  mirrorHorizontally,
  mirrorVertically,
  transpose,
  negate,
  addIdentity: plusPicture,
  sumOne: (kernel) => normalise(kernel, 'sumOne'),
  positiveOne: (kernel) => normalise(kernel, 'positiveOne'),
  sumZero: (kernel) => normalise(kernel, 'sumZero'),
  peakOne: (kernel) => normalise(kernel, 'peakOne'),
  rewrite: (kernel) => rewriteAs(kernel, kernel.orientation === 'correlation' ? 'convolution' : 'correlation'),
} as const satisfies Readonly<Record<string, (kernel: Kernel) => Kernel>>;

export type KernelOperation = keyof typeof kernelOperations;
export const kernelOperationNames = Object.keys(kernelOperations) as readonly KernelOperation[];
