// The codec's samples made those of a picture: in their own type, with nothing in them that no filter could take.

export type DecodedSamples = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** Depths of decoded pictures. */
export type DecodedDepth = 'u8' | 'u16' | 'f32';
export const bytesPerSample = { u8: 1, u16: 2, f32: 4 } as const;

/** AVIF's 10 and 12 bits arrive shifted up to 16, so that white would be 65472: repeats the top bits in the gap. */
export function fillLowBits(samples: Uint16Array, bits: number): void {
  for (let index = 0; index < samples.length; index += 1) {
    const value = samples[index]!;
    samples[index] = value | (value >>> bits);
  }
}

/** NaN becomes 0, an infinity the largest (smallest) finite sample, so that no filter spreads them. Returns how many. */
export function replaceNonFinite(samples: Float32Array): number {
  let minimum = 0;
  let maximum = 1;
  let count = 0;
  for (const value of samples) {
    if (!Number.isFinite(value)) count += 1;
    else if (value > maximum) maximum = value;
    else if (value < minimum) minimum = value;
  }
  if (count > 0)
    for (let index = 0; index < samples.length; index += 1) {
      const value = samples[index]!;
      if (Number.isNaN(value)) samples[index] = 0;
      else if (value === Number.POSITIVE_INFINITY) samples[index] = maximum;
      else if (value === Number.NEGATIVE_INFINITY) samples[index] = minimum;
    }
  return count;
}

/** 32-bit integers as shares of full scale, in the same memory. */
export function integersToShares(data: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const aligned = data.byteOffset % 4 === 0 ? data : Buffer.from(new Uint8Array(data).buffer);
  const integers = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  const shares = new Float32Array(integers.buffer, integers.byteOffset, integers.length);
  for (let index = 0; index < integers.length; index += 1) shares[index] = (integers[index] ?? 0) / 0xffffffff;
  return aligned;
}

/** The buffer's bytes as samples; copied only where the buffer does not start on a sample's boundary. */
export function viewSamples(data: Buffer<ArrayBuffer>, sampleType: DecodedDepth): DecodedSamples {
  const size = bytesPerSample[sampleType];
  const aligned = data.byteOffset % size === 0 ? data : new Uint8Array(data);
  const length = aligned.byteLength / size;
  switch (sampleType) {
    case 'u8':
      return new Uint8Array(aligned.buffer, aligned.byteOffset, length);
    case 'u16':
      return new Uint16Array(aligned.buffer, aligned.byteOffset, length);
    case 'f32':
      return new Float32Array(aligned.buffer, aligned.byteOffset, length);
  }
}
