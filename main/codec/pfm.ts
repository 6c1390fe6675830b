// Portable float maps: grey or RGB in 32-bit floats, rows from the bottom up, little-endian. Source: the format's description
// by Paul Debevec. It has no alpha, so what is transparent becomes white.

import type { Size } from '../../core/geometry';
import type { Samples } from '../../core/pass';

/** The file as pieces. `samples`: width × height × channels floats, alpha last and straight where channels is 2 or 4. */
export function encodePfm({ width, height }: Size, channels: number, samples: Samples): readonly Uint8Array[] {
  const colours = channels <= 2 ? 1 : 3;
  const alpha = channels > colours;
  const head = new TextEncoder().encode(`${colours === 1 ? 'Pf' : 'PF'}\n${width} ${height}\n-1.0\n`);
  const view = new DataView(new ArrayBuffer(width * height * colours * 4));
  let place = 0;
  for (let y = height - 1; y >= 0; y -= 1)
    for (let pixel = y * width * channels; pixel < (y + 1) * width * channels; pixel += channels) {
      const opacity = alpha ? (samples[pixel + colours] ?? 1) : 1;
      for (let colour = 0; colour < colours; colour += 1) {
        const value = samples[pixel + colour] ?? 0;
        view.setFloat32(place, value * opacity + (1 - opacity), true);
        place += 4;
      }
    }
  return [head, new Uint8Array(view.buffer)];
}
