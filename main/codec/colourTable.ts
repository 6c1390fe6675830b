// Every colour of three 8-bit samples in a picture's own space as the screen's, computed ahead by the colour engine: each call
// of it takes longer than a part of a view, however small, and a view that follows a slider is four of them.

const colourCount = 2 ** 24;
/** Colours that are computed in one call, so that tiles that come meanwhile need not wait for all of them. */
const callColours = 2 ** 20;
/** The same as a picture. */
const callSize = { width: 1024, height: callColours / 1024 } as const;

/** Converts a picture of three samples a pixel. */
type Convert = (
  pixels: Uint8Array<ArrayBuffer>,
  size: { readonly width: number; readonly height: number },
) => Promise<Uint8Array>;

/** Answers the colours by number, red lowest: 48 MiB. */
export async function makeColourTable(convert: Convert): Promise<Uint8Array> {
  const table = new Uint8Array(colourCount * 3);
  const asked = new Uint8Array(callColours * 3);
  for (let first = 0; first < colourCount; first += callColours) {
    for (let index = 0; index < callColours; index += 1) {
      const colour = first + index;
      asked[index * 3] = colour & 255;
      asked[index * 3 + 1] = (colour >> 8) & 255;
      asked[index * 3 + 2] = colour >> 16;
    }
    table.set(await convert(asked, callSize), first * 3);
  }
  return table;
}

/** Pixels of 3 or 4 samples by the table; the fourth stays. */
export function byTable(table: Uint8Array, pixels: Uint8Array, channels: number): Uint8Array<ArrayBuffer> {
  const result = Uint8Array.from(pixels);
  for (let at = 0; at < result.length; at += channels) {
    const colour = (result[at] as number) | ((result[at + 1] as number) << 8) | ((result[at + 2] as number) << 16);
    result[at] = table[colour * 3] as number;
    result[at + 1] = table[colour * 3 + 1] as number;
    result[at + 2] = table[colour * 3 + 2] as number;
  }
  return result;
}
