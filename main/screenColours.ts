// Tiles on their way to the page: pixels of pictures with a colour profile become sRGB, which the page's canvas shows on any
// screen. Only what is shown is converted, never what filters compute or files hold. Tiles and the messages between them
// keep their order.

import type { MainMessage, TileMessage } from '../core/ipc';
import type { Codec } from './codec/codec';

/** Steps of the probe in each colour, and their distance. */
const probeSteps = 6;
const probeStep = 51;

/** Every colour of a coarse grid, or every grey. */
function probeOf(channels: number): Uint8Array<ArrayBuffer> {
  if (channels <= 2)
    return Uint8Array.from({ length: 256 * channels }, (_, i) => (channels === 1 ? i : i % 2 ? 255 : i / 2));
  const samples: number[] = [];
  for (let index = 0; index < probeSteps ** 3; index += 1) {
    const colour = [
      index % probeSteps,
      Math.floor(index / probeSteps) % probeSteps,
      Math.floor(index / probeSteps ** 2),
    ];
    samples.push(...colour.map((step) => step * probeStep), ...(channels === 4 ? [255] : []));
  }
  return Uint8Array.from(samples);
}

export class ScreenColours {
  private readonly needed = new WeakMap<Uint8Array, Promise<boolean>>();

  constructor(private readonly codec: Pick<Codec, 'toScreen'>) {}

  /** The tile as it is to be shown. A profile that cannot be used leaves it as it is. */
  async shown(tile: TileMessage, profile: Uint8Array): Promise<TileMessage> {
    const { channels, rectangle } = tile;
    const needs = this.needed.get(profile) ?? this.changes(profile, channels);
    this.needed.set(profile, needs);
    if (!(await needs)) return tile;
    const { width, height } = rectangle;
    // The codec may take the memory with it.
    const pixels = Uint8Array.from(tile.pixels);
    return this.codec.toScreen({ pixels, width, height, channels }, profile).then(
      (converted) => ({ ...tile, pixels: converted }),
      () => tile,
    );
  }

  /** Whether the profile shows other colours than sRGB by more than one level; names of profiles say little. */
  private async changes(profile: Uint8Array, channels: number): Promise<boolean> {
    const probe = probeOf(channels);
    const width = probe.length / channels;
    try {
      const pixels = Uint8Array.from(probe);
      const converted = await this.codec.toScreen({ pixels, width, height: 1, channels }, profile);
      return converted.some((value, index) => Math.abs(value - (probe[index] ?? 0)) > 1);
    } catch {
      return false;
    }
  }
}

/** Posts messages in their order, tiles of pictures with a profile once they are converted. */
export class OrderedPosting {
  private waiting = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly colours: ScreenColours,
    private readonly post: (message: MainMessage) => void,
  ) {}

  /** `profile`: of the picture that a tile shows; null where there is none. */
  send(message: MainMessage, profile: Uint8Array | null): void {
    const converts = message.kind === 'tile' && profile !== null;
    if (!converts && this.waiting === 0) {
      this.post(message);
      return;
    }
    this.waiting += 1;
    const ready = converts ? this.colours.shown(message, profile) : Promise.resolve(message);
    this.last = this.last.then(async () => {
      const shown = await ready;
      this.waiting -= 1;
      this.post(shown);
    });
  }
}
