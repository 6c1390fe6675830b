// The tone curve of a colour profile, read from its tags: curveType and parametricCurveType of ICC.1:2022 (10.6, 10.18).

import { isSameCurve, type LightCurve, leadsBack, srgbCurve, type ToneCurve } from '../../core/toneCurve';

export interface PictureCurve {
  readonly kind: LightCurve;
  /** null for the sRGB curve. */
  readonly curve: ToneCurve | null;
}

const headerBytes = 128;
/** Most tags and samples that are looked at; profiles have some twenty, and 4096. */
const maximumTags = 200;
const maximumSamples = 65_536;

type Tags = ReadonlyMap<string, DataView>;

/** Each tag's data. Throws RangeError where one leads outside the profile. */
function tagsOf(profile: Uint8Array): Tags {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  const count = Math.min(view.getUint32(headerBytes), maximumTags);
  const tags = new Map<string, DataView>();
  for (let index = 0; index < count; index += 1) {
    const entry = headerBytes + 4 + 12 * index;
    const name = String.fromCharCode(...profile.subarray(entry, entry + 4));
    tags.set(name, new DataView(view.buffer, view.byteOffset + view.getUint32(entry + 4), view.getUint32(entry + 8)));
  }
  return tags;
}

const power = (gamma: number): ToneCurve => ({ ...identity, gamma });
const identity = { kind: 'parametric', gamma: 1, scale: 1, offset: 0, slope: 1, knee: 0, above: 0, below: 0 } as const;

function curveOf(tag: DataView): ToneCurve | null {
  const count = tag.getUint32(8);
  if (count === 0) return identity;
  if (count === 1) return power(tag.getUint16(12) / 256);
  if (count > maximumSamples) return null;
  return {
    kind: 'sampled',
    samples: Float64Array.from({ length: count }, (_, i) => tag.getUint16(12 + 2 * i) / 65_535),
  };
}

/** Function types 0 to 4, whose numbers are g, a, b, c, d, e, f of the standard. */
function parametricOf(tag: DataView): ToneCurve | null {
  const number = (index: number) => tag.getInt32(12 + 4 * index) / 65_536;
  const gamma = number(0);
  const curve = () => ({ ...identity, gamma, scale: number(1), offset: number(2), slope: 0 });
  // Where the sum under the power reaches 0.
  const zero = () => Math.max(-number(2) / number(1), 0);
  switch (tag.getUint16(8)) {
    case 0:
      return power(gamma);
    case 1:
      return { ...curve(), knee: zero() };
    case 2:
      return { ...curve(), knee: zero(), above: number(3), below: number(3) };
    case 3:
      return { ...curve(), slope: number(3), knee: number(4) };
    case 4:
      return { ...curve(), slope: number(3), knee: number(4), above: number(5), below: number(6) };
    default:
      return null;
  }
}

function toneCurveOf(tag: DataView | undefined): ToneCurve | null {
  if (!tag) return null;
  const type = String.fromCharCode(...[0, 1, 2, 3].map((index) => tag.getUint8(index)));
  const curve = type === 'curv' ? curveOf(tag) : type === 'para' ? parametricOf(tag) : null;
  return curve && leadsBack(curve) ? curve : null;
}

/** By which curve a picture with this profile works in linear light. `channels`: of the picture, alpha counted. */
export function curveOfProfile(profile: Uint8Array | null, channels: number): PictureCurve {
  if (!profile) return { kind: 'srgb', curve: null };
  try {
    const tags = tagsOf(profile);
    const names = channels <= 2 ? ['kTRC'] : ['rTRC', 'gTRC', 'bTRC'];
    // Where a profile has tables too, they are what colour engines convert by.
    if (['A2B0', 'D2B0'].some((name) => tags.has(name)) || !names.every((name) => tags.has(name)))
      return { kind: 'table', curve: null };
    const [curve, ...others] = names.map((name) => toneCurveOf(tags.get(name)));
    if (!curve || others.includes(null)) return { kind: 'unusable', curve: null };
    if (!others.every((other) => other && isSameCurve(curve, other))) return { kind: 'differing', curve: null };
    if (isSameCurve(curve, srgbCurve)) return { kind: 'srgb', curve: null };
    return { kind: curve.kind === 'parametric' ? 'formula' : 'samples', curve };
  } catch (thrown) {
    if (thrown instanceof RangeError) return { kind: 'unusable', curve: null };
    throw thrown;
  }
}
