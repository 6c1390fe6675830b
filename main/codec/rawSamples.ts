// Runs a pipeline of the codec to plain samples.

import { owned, type Sharp } from './sharp';

export interface RawLayout {
  readonly depth: 'uchar' | 'ushort' | 'uint' | 'float';
  /** Colour space that the pipeline must end in, so that it converts nothing it need not. */
  readonly space: string;
}

export interface RawSamples {
  readonly data: Buffer<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

async function run(pipeline: Sharp, layout: RawLayout): Promise<RawSamples> {
  const { data, info } = await pipeline
    .toColourspace(layout.space)
    .raw({ depth: layout.depth })
    .toBuffer({ resolveWithObject: true });
  return { data: owned(data), width: info.width, height: info.height, channels: info.channels };
}

/** Grey with alpha leaves libvips' raw writer without its alpha, so the two channels are read apart and interleaved. */
async function runGreyAlpha(open: () => Sharp, layout: RawLayout): Promise<RawSamples> {
  const grey = await run(open().extractChannel(0), layout);
  const alpha = await run(open().extractChannel(1), layout);
  const sampleBytes = grey.data.length / (grey.width * grey.height);
  const data = Buffer.allocUnsafeSlow(grey.data.length * 2);
  for (let source = 0, target = 0; source < grey.data.length; source += sampleBytes, target += 2 * sampleBytes) {
    grey.data.copy(data, target, source, source + sampleBytes);
    alpha.data.copy(data, target + sampleBytes, source, source + sampleBytes);
  }
  return { ...grey, data, channels: 2 };
}

/** The samples of the pipeline that `open` makes, which may be asked for it twice. `greyAlpha`: it has these two channels. */
export function readRaw(open: () => Sharp, layout: RawLayout, greyAlpha: boolean): Promise<RawSamples> {
  return greyAlpha ? runGreyAlpha(open, layout) : run(open(), layout);
}
