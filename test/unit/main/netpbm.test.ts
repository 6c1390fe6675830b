// Portable maps: every form is read in its own depth, by content and not by name, and what this program writes it reads again.

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import { decodePicture } from '../../../main/codec/decode';
import { encodePfm } from '../../../main/codec/pfm';
import { fixturePath } from './fixtures';

const open = (head: string, ...samples: readonly number[]) =>
  decodePicture(Buffer.concat([Buffer.from(head, 'latin1'), Uint8Array.from(samples)]), 'map');
const values = async (picture: ReturnType<typeof open>) => [...(await picture).samples];

describe('a portable map', () => {
  it('is read in every form', async () => {
    expect(await values(open('P1\n# a comment\n3 2\n010\n1 1 0\n'))).toEqual([255, 0, 255, 0, 0, 255]);
    expect(await values(open('P4 10 2\n', 0b10000000, 0b01000000, 0, 0b11000000))).toEqual([
      ...[0, ...Array<number>(8).fill(255), 0],
      ...[...Array<number>(8).fill(255), 0, 0],
    ]);
    expect(await values(open('P2\n2 2\n15\n0 15 # white\n 5 10\n'))).toEqual([0, 255, 85, 170]);
    expect(await values(open('P3 1 2 255 1 2 3 4 5 6'))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await values(open('P5 2 1 255\n', 7, 9))).toEqual([7, 9]);
    expect(await values(open('P6 1 1 65535\n', 1, 2, 3, 4, 255, 255))).toEqual([0x0102, 0x0304, 0xffff]);
    expect(await values(open('P5 2 1 4095\n', 0x0f, 0xff, 0x08, 0))).toEqual([65535, 32776]);
  });

  it('says its depth and channels, and is no page of several', async () => {
    expect(await open('P6 1 1 255\n', 1, 2, 3)).toMatchObject({
      ...{ width: 1, height: 1, channels: 3, alpha: false, sampleType: 'u8', format: 'pnm' },
      ...{ page: 1, pages: 1, iccProfile: null, warnings: [] },
    });
    const page = decodePicture(Buffer.from('P5 1 1 255\n\0'), 'map', undefined, 2);
    expect(await page.then(String, failureOf)).toMatchObject({ code: 'invalidArgument', actual: '2' });
  });

  it('of floats has its rows from the bottom, in either order of bytes, beyond black and white too', async () => {
    for (const scale of ['-1.0', '1.0']) {
      const bytes = new DataView(new ArrayBuffer(24));
      [1, 2, 3, -4, 0.5, 6].forEach((value, index) => {
        bytes.setFloat32(4 * index, value, scale.startsWith('-'));
      });
      const file = Buffer.concat([Buffer.from(`Pf\n2 3\n${scale}\n`), new Uint8Array(bytes.buffer)]);
      expect([...(await decodePicture(file, 'map')).samples]).toEqual([0.5, 6, 3, -4, 1, 2]);
    }
  });

  it('that this program wrote has the samples that went in', async () => {
    const samples = Float32Array.from({ length: 7 * 5 * 3 }, (_, index) => Math.sin(index) * 3);
    const file = Buffer.concat(encodePfm({ width: 7, height: 5 }, 3, samples));
    const back = await decodePicture(file, 'map');
    expect(back).toMatchObject({ width: 7, height: 5, channels: 3, sampleType: 'f32', format: 'pfm' });
    expect([...back.samples]).toEqual([...samples]);
  });

  it('of other programs opens', async () => {
    for (const [file, sampleType] of [
      ['other/rgb8.ppm', 'u8'],
      ['other/rgb16.ppm', 'u16'],
      ['other/rgb32f.pfm', 'f32'],
    ] as const) {
      const picture = await decodePicture(await readFile(fixturePath(file)), file);
      expect(picture, file).toMatchObject({ width: 64, height: 48, channels: 3, sampleType, warnings: [] });
      expect(new Set(picture.samples).size, file).toBeGreaterThan(50);
    }
  });

  it('that is cut short shows what there is, and says so; one of nothing is refused', async () => {
    const cut = await open('P5 2 2 255\n', 7, 9, 11);
    expect([[...cut.samples], cut.warnings]).toEqual([[7, 9, 11, 0], [{ kind: 'notWhole' }]]);
    const refused = async (head: string) => open(head).then(String, failureOf);
    for (const head of ['P5 2 2 255\n', 'P5 2', 'P5 0 2 255\n', 'P5 -1 2 255\n', 'P6 2 2 70000\n', 'PF 1 1 x\n'])
      expect(await refused(head), head).toMatchObject({ code: 'fileDamaged', subject: 'map' });
    expect(await refused('P6 99999 99999 255\n')).toMatchObject({
      code: 'imageTooLarge',
      actual: '99999 × 99999 pixels, which need 90 GB of memory',
    });
    expect(await refused('P7\nWIDTH 2\n')).toMatchObject({ code: 'formatUnsupported', actual: 'PAM' });
  });

  it('may have comments of any length and signs, also one without an end', async () => {
    expect(await values(open(`P5\n#${' # 9'.repeat(3000)}\n2 1 255\n`, 7, 9))).toEqual([7, 9]);
    expect(await open(`P5\n${'#'.repeat(4000)}`).then(String, failureOf)).toMatchObject({ code: 'fileDamaged' });
  });
});
