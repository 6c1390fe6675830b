// Tiles on their way to the page: pixels of pictures with a colour profile become sRGB, which the page's canvas shows on any
// screen, or Display P3 for a screen that has it. Only what is shown is converted, never what filters compute or files hold. Tiles and the messages between them
// keep their order.

import type { MainMessage, ScreenSpace, TilesMessage } from '../core/pixelPort';
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

/** How tiles of a profile get to a screen: as they are, as numbers of `space`; or by the codec. */
interface Way {
  readonly space: ScreenSpace;
  readonly converts: boolean;
}

export class ScreenColours {
  private readonly ways: Readonly<Record<ScreenSpace, WeakMap<Uint8Array, Promise<Way>>>> = {
    srgb: new WeakMap(),
    displayP3: new WeakMap(),
  };

  constructor(private readonly codec: Pick<Codec, 'toScreen'>) {}

  /** The tile as it is to be shown. A profile that cannot be used leaves it as it is. */
  async shown(tile: TilesMessage, profile: Uint8Array, screen: ScreenSpace): Promise<TilesMessage> {
    const { channels, rectangle } = tile;
    const way = this.ways[screen].get(profile) ?? this.wayOf(profile, channels, screen);
    this.ways[screen].set(profile, way);
    const { space, converts } = await way;
    if (!converts) return { ...tile, space };
    const { width, height } = rectangle;
    // The codec may take the memory with it.
    const pixels = new Uint8Array(tile.pixels);
    return this.codec.toScreen({ pixels, width, height, channels }, profile, space).then(
      (converted) => ({ ...tile, space, pixels: converted }),
      () => tile,
    );
  }

  private async wayOf(profile: Uint8Array, channels: number, screen: ScreenSpace): Promise<Way> {
    // Numbers of sRGB stay what they are on every screen.
    if (!(await this.changes(profile, channels, 'srgb'))) return { space: 'srgb', converts: false };
    return { space: screen, converts: screen === 'srgb' || (await this.changes(profile, channels, screen)) };
  }

  /** Whether the profile shows other colours than the space by more than one level; names of profiles say little. */
  private async changes(profile: Uint8Array, channels: number, space: ScreenSpace): Promise<boolean> {
    const probe = probeOf(channels);
    const width = probe.length / channels;
    try {
      const pixels = Uint8Array.from(probe);
      const converted = await this.codec.toScreen({ pixels, width, height: 1, channels }, profile, space);
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

  /**
   * `profile`: of the picture that a tile shows; null where there is none. `screen`: what the page can show. Answers whether
   * the message has been posted.
   */
  send(message: MainMessage, profile: Uint8Array | null, screen: ScreenSpace = 'srgb'): boolean {
    const converts = message.kind === 'tiles' && profile !== null;
    if (!converts && this.waiting === 0) {
      this.post(message);
      return true;
    }
    this.waiting += 1;
    const ready = converts ? this.colours.shown(message, profile, screen) : Promise.resolve(message);
    this.last = this.last.then(async () => {
      const shown = await ready;
      this.waiting -= 1;
      this.post(shown);
    });
    return false;
  }
}
