// Whether an embedded colour profile can be trusted for the pixels it came with, and its name for people. A profile that
// does not parse, or describes another kind of pixel, is ignored: the picture opens as sRGB and the export carries none.

import { parse } from 'icc';

/** The name shown where a picture has no profile, or one that is ignored. */
export const assumedProfile = 'sRGB';

export interface ColourProfile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The profile when it fits pixels of `channels` (alpha counted), else null. */
export function usableProfile(bytes: Uint8Array | undefined, channels: number): ColourProfile | null {
  if (!bytes) return null;
  try {
    const parsed = parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const space = parsed.colorSpace?.trim();
    if (space !== (channels <= 2 ? 'GRAY' : 'RGB')) return null;
    return { name: parsed.description?.replaceAll('\u0000', '').trim() || 'unnamed profile', bytes };
  } catch {
    return null;
  }
}
