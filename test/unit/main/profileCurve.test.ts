// The curve that a colour profile says, as numbers; and that a profile without one is told from one that has it.

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toLight } from '../../../core/toneCurve';
import { decodePicture } from '../../../main/codec/decode';
import { curveOfProfile } from '../../../main/codec/profileCurve';
import { readPictureFile } from '../../../main/pictureFile';
import { fixturePath } from './fixtures';

const lightOf = async (file: string) =>
  (await decodePicture(await readPictureFile(fixturePath(file)), path.basename(file))).light;

const number16 = (value: number) => Buffer.from([Math.floor(value / 256) % 256, value % 256]);
const fixed = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65536));
  return bytes;
};
const curv = (...values: number[]) =>
  Buffer.concat([Buffer.from('curv\0\0\0\0\0\0', 'latin1'), number16(values.length), ...values.map(number16)]);
const para = (type: number, ...values: number[]) =>
  Buffer.concat([Buffer.from('para\0\0\0\0', 'latin1'), number16(type), number16(0), ...values.map(fixed)]);

/** A profile with nothing but these tags. */
function profileWith(tags: Readonly<Record<string, Buffer>>): Uint8Array {
  const entries = Object.entries(tags);
  const table = Buffer.alloc(4 + 12 * entries.length);
  table.writeUInt32BE(entries.length);
  let place = 128 + table.length;
  entries.forEach(([name, data], index) => {
    table.write(name, 4 + 12 * index, 'latin1');
    table.writeUInt32BE(place, 8 + 12 * index);
    table.writeUInt32BE(data.length, 12 + 12 * index);
    place += data.length;
  });
  return Buffer.concat([Buffer.alloc(128), table, ...entries.map(([, data]) => data)]);
}
const threeOf = (curve: Buffer) => profileWith({ rTRC: curve, gTRC: curve, bTRC: curve });

describe('the curve of a picture', () => {
  for (const [file, kind] of [
    ['png/rgb8.png', 'srgb'],
    ['icc/displayp3.png', 'srgb'],
    ['photos/kitten_4056x2746.jpg', 'srgb'],
    ['icc/adobergb.png', 'formula'],
    ['icc/prophoto.tif', 'formula'],
    ['icc/rec2020.png', 'formula'],
    ['icc/gray_gamma.png', 'srgb'],
    ['icc/displayp3.jpg', 'samples'],
    ['icc/garbage_profile.jpg', 'srgb'],
    ['jpeg/cmyk_icc.jpg', 'srgb'],
  ] as const)
    it(`${file} is ${kind}`, async () => expect((await lightOf(file)).kind).toBe(kind));

  it('of Adobe RGB is the power 2.19921875', async () => {
    const { curve } = await lightOf('icc/adobergb.png');
    for (const value of [0.01, 0.2, 0.5, 1]) expect(toLight(curve!, value)).toBeCloseTo(value ** 2.19921875, 12);
  });

  it('of ProPhoto is the power 1.8 above 1/32, a line of 1/16 below', async () => {
    const { curve } = await lightOf('icc/prophoto.tif');
    for (const value of [0.04, 0.2, 0.5, 1]) expect(toLight(curve!, value)).toBeCloseTo(value ** 1.8, 4);
    expect(toLight(curve!, 0.02)).toBeCloseTo(0.02 / 16, 5);
  });
});

describe('curves of ICC.1', () => {
  const at = (curve: Buffer, value: number) => toLight(curveOfProfile(threeOf(curve), 3).curve!, value);

  it('without a number are straight, with one a power, with more lines between them', () => {
    expect(at(curv(), 0.3)).toBeCloseTo(0.3, 12);
    expect(at(curv(0x0180), 0.5)).toBeCloseTo(0.5 ** 1.5, 12);
    expect(at(curv(0, 16384, 65535), 0.25)).toBeCloseTo(8192 / 65535, 12);
  });

  it('of function types 0 to 4 are what the standard says', () => {
    expect(at(para(0, 2), 0.5)).toBeCloseTo(0.25, 6);
    expect(at(para(1, 2, 1.25, -0.25), 0.6)).toBeCloseTo(0.25, 4);
    expect(at(para(1, 2, 1.25, -0.25), 0.1)).toBeCloseTo(0, 6);
    expect(at(para(2, 2, 1.09375, -0.125, 0.0625), 0.05)).toBeCloseTo(0.0625, 6);
    expect(at(para(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.02), 0.01)).toBeCloseTo(0.01 / 12.92, 6);
    expect(at(para(4, 2, 0.9, 0.1, 0.1, 0.03125, 0, 0), 0.5)).toBeCloseTo(0.55 ** 2, 3);
  });

  it('are the sRGB curve where they come to the same', () => {
    const srgb = para(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);
    expect(curveOfProfile(threeOf(srgb), 3)).toEqual({ kind: 'srgb', curve: null });
  });
});

describe('a profile without a curve to use', () => {
  for (const [what, profile, kind] of [
    ['has tables', profileWith({ rTRC: curv(), gTRC: curv(), bTRC: curv(), A2B0: Buffer.alloc(8) }), 'table'],
    ['has no curves at all', profileWith({ desc: Buffer.alloc(8) }), 'table'],
    [
      'has another for each channel',
      profileWith({ rTRC: curv(0x0180), gTRC: curv(0x0200), bTRC: curv(0x0200) }),
      'differing',
    ],
    ['has one that falls', threeOf(curv(0, 65535, 0)), 'unusable'],
    ['has one of an unknown function', threeOf(para(9, 1)), 'unusable'],
    ['has one of another type', threeOf(Buffer.from('text\0\0\0\0....', 'latin1')), 'unusable'],
    ['claims more samples than it has', threeOf(Buffer.from('curv\0\0\0\0\0\0\xff\xff\0\0', 'latin1')), 'unusable'],
    ['is cut short', threeOf(curv(0x0180)).subarray(0, 140), 'unusable'],
  ] as const)
    it(`${what}: ${kind}`, () => expect(curveOfProfile(profile, 3)).toEqual({ kind, curve: null }));
});
