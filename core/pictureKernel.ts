// A kernel from a picture of it, such as the photo of a star (a point spread function): grey values become weights.

import { ConvolveError } from './errors';
import { createKernel, type Kernel, maximumKernelSize } from './kernel';
import type { SampleType } from './pass';

/** A picture small enough to be a kernel, in code values of its own depth, rows top to bottom, channels interleaved. */
export interface KernelPicture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** True when the last channel is alpha. */
  readonly alpha: boolean;
  readonly sampleType: Extract<SampleType, 'u8' | 'u16' | 'f32'>;
  /** Every sample of the three types is a float32 exactly. */
  readonly samples: Float32Array;
}

export interface PictureKernelOptions {
  /** Grey value that becomes the weight 0, as a share of full scale after the choice of light. */
  readonly zero: number;
  /** linear: values of 8 and 16 bits are taken back through the sRGB curve first. Floats are linear already. */
  readonly light: 'encoded' | 'linear';
  /** What becomes of values below `zero`: negative weights, or 0. */
  readonly below: 'negative' | 'cut';
}

/** Throws ConvolveError `imageTooLarge` for a picture that is wider or higher than a kernel may be. */
export function refuseLargePicture(name: string, width: number, height: number): void {
  if (width <= maximumKernelSize && height <= maximumKernelSize) return;
  throw new ConvolveError({
    code: 'imageTooLarge',
    subject: name,
    expected: `at most ${maximumKernelSize} × ${maximumKernelSize} pixels`,
    actual: `${width} × ${height} pixels`,
  });
}

const fullScale = { u8: 255, u16: 65535, f32: 1 } as const;
/** Luminance of linear red, green and blue (ITU-R BT.709). */
const luminance = [0.2126, 0.7152, 0.0722] as const;

/** The sRGB curve back to linear light (IEC 61966-2-1), odd-symmetric below 0. */
function linear(value: number): number {
  const size = Math.abs(value);
  return Math.sign(value) * (size <= 0.04045 ? size / 12.92 : ((size + 0.055) / 1.055) ** 2.4);
}

/**
 * Grey values of a picture as shares of full scale, row-major: colour by its luminance, each value times its alpha, so that
 * what cannot be seen weighs nothing.
 */
export function greyValues(picture: KernelPicture, light: PictureKernelOptions['light']): readonly number[] {
  const { width, height, channels, alpha, sampleType, samples } = picture;
  const scale = fullScale[sampleType];
  const curve = light === 'linear' && sampleType !== 'f32' ? linear : (value: number) => value;
  const colours = alpha ? channels - 1 : channels;
  return Array.from({ length: width * height }, (_, pixel) => {
    const at = (channel: number) => (samples[pixel * channels + channel] ?? 0) / scale;
    const grey =
      colours < 3 ? curve(at(0)) : luminance.reduce((sum, share, channel) => sum + share * curve(at(channel)), 0);
    return alpha ? grey * at(colours) : grey;
  });
}

/**
 * The kernel whose weights are the picture's grey values above `zero`. It is a convolution, so that a bright point becomes the
 * picture, with the default anchor and divisor `auto`: brightness is kept.
 */
export function kernelFromPicture(picture: KernelPicture, options: PictureKernelOptions): Kernel {
  const { width, height, name } = picture;
  refuseLargePicture(name, width, height);
  const weights = greyValues(picture, options.light).map((grey) => {
    const weight = grey - options.zero;
    return options.below === 'cut' ? Math.max(0, weight) : weight;
  });
  return createKernel(width, height, weights, { orientation: 'convolution' });
}
