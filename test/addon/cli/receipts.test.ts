// Receipts: what an export says of itself, and `convolve replay`, which does it again and gets the same bytes.

import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseReceipt, receiptVersion } from '../../../core/receipt';
import { decodePicture } from '../../../main/codec/decode';
import { receiptInXmp } from '../../../main/codec/xmp';
import { digestOf } from '../../../main/receipt';
import { software } from '../../../main/version';
import { fixtures, runCommand } from './commandLine';

beforeEach(() => {
  const start = process.cwd();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-receipts-'));
  process.chdir(folder);
  copyFileSync(path.join(fixtures, 'photos', 'rocket_640x427.jpg'), 'photo.jpg');
  copyFileSync(path.join(fixtures, 'exif', 'F_orient6_thumb.jpg'), 'upright.jpg');
  return () => {
    process.chdir(start);
    rmSync(folder, { recursive: true });
  };
});

async function succeed(...words: readonly string[]) {
  const end = await runCommand(words);
  expect(end.code, `${words.join(' ')}\n${end.output}${end.errors}`).toBe(0);
  return end;
}
const receiptOf = (file: string) => parseReceipt(readFileSync(`${file}.receipt.json`, 'utf8'), file);

describe('a receipt', () => {
  it('says what was done to which picture, by what, and how far from the reference', async () => {
    const words = ['--kernel', '1 2 1; 2 4 2; 1 2 1 / 16', '--border', 'wrap', '--light', 'linear'];
    await succeed('apply', 'photo.jpg', ...words, '--orientation', 'convolution', '--receipt', 'beside', '-o', 'a.png');
    const receipt = receiptOf('a.png');
    expect(receipt).toMatchObject({
      software,
      source: { name: 'photo.jpg', width: 640, height: 427, channels: 3, sampleType: 'u8' },
      stack: [{ kind: 'custom', border: { kind: 'wrap' }, light: 'linear', kernel: { orientation: 'convolution' } }],
      options: { format: 'png', depth: 'u8' },
      engine: { backend: 'cpu' },
      passes: [{ settings: { border: { kind: 'wrap' }, light: 'linear', alpha: 'weighted' } }],
      result: { width: 640, height: 427, sha256: digestOf([readFileSync('a.png')]) },
    });
    expect(receipt.source.sha256).toBe(digestOf([readFileSync('photo.jpg')]));
    expect(receipt.check?.largestError).toBeLessThanOrEqual(1);
    expect(receipt.check?.width).toBeGreaterThan(0);
  });

  it('says that a rank below the kernel’s own is approximate', async () => {
    const words = ['--filter', 'lens:radius=5,rank=2', '--receipt', 'beside', '-o', 'a.png'];
    expect((await succeed('apply', 'photo.jpg', ...words)).errors).toContain('lens ran as rank 2 of 5');
    const receipt = receiptOf('a.png');
    expect(receipt.stack).toMatchObject([{ kind: 'lens', rank: 2 }]);
    expect(receipt.passes[0]?.path).toBe('rank 2: 2 × (11 + 11)');
    expect(receipt.paths).toMatchObject([
      { kind: 'separable', note: expect.stringContaining('rank 2 of 5, approximate') },
    ]);
    await succeed('replay', 'a.png.receipt.json', 'photo.jpg', '-o', 'again.png');
    expect(readFileSync('again.png')).toEqual(readFileSync('a.png'));
  });

  it('says of every pass how it was computed, where a filter is several passes, none or a search for edges', async () => {
    const filters = ['box:3', 'canny:range=signed', 'diffusion:iterations=3,range=rescale', 'unsharp:sigma=1'].flatMap(
      (filter) => ['--filter', filter],
    );
    await succeed('apply', 'photo.jpg', ...filters, '--receipt', 'beside', '-o', 'a.png');
    expect(receiptOf('a.png').passes.map(({ path }) => path)).toEqual([
      expect.stringMatching(/ 3×3$/),
      expect.stringMatching(/^edges in two gradients, each /),
      'dense 1×1',
      expect.stringMatching(/ 3×3$/),
      expect.stringMatching(/ 3×3$/),
      'separable 9 + 9',
    ]);
  });

  it('has the oldest version that can say what its stack holds', async () => {
    const versionOf = async (...filter: readonly string[]) => {
      await succeed('apply', 'photo.jpg', ...filter, '--receipt', 'beside', '-o', 'a.png');
      return receiptOf('a.png').version;
    };
    expect(await versionOf('--filter', 'gaussian:1')).toBe(1);
    expect(await versionOf('--filter', 'gaussian:sigma=1,opacity=0.5')).toBe(2);
    expect(await versionOf('--filter', 'unsharp:sigma=1,threshold=2')).toBe(3);
  });

  it('stands inside JPEG, PNG, WebP, TIFF and AVIF, beside the XMP of the source', async () => {
    for (const ending of ['jpg', 'png', 'webp', 'tif', 'avif']) {
      await succeed('apply', 'upright.jpg', '--filter', 'gaussian:1', '--receipt', 'inside', '-o', `a.${ending}`);
      const { xmp } = (await decodePicture(readFileSync(`a.${ending}`), 'a')).metadata;
      const receipt = parseReceipt(receiptInXmp(xmp!) ?? '', ending);
      expect(receipt.stack, ending).toMatchObject([{ kind: 'gaussian', sigma: 1 }]);
    }
  });

  it('of more than a segment of a JPEG file holds stands in it all the same', async () => {
    const weights = Array.from({ length: 127 }, () => Array(127).fill('0.123456').join(' ')).join('; ');
    await succeed('apply', 'upright.jpg', '--kernel', weights, '--receipt', 'inside', '-o', 'a.jpg');
    const { xmp } = (await decodePicture(readFileSync('a.jpg'), 'a')).metadata;
    expect(xmp?.length).toBeGreaterThan(100_000);
    expect(parseReceipt(receiptInXmp(xmp!) ?? '', 'a').stack).toMatchObject([{ kernel: { width: 127 } }]);
    expect((await succeed('replay', 'a.jpg', 'upright.jpg', '-o', 'b.jpg')).output).toContain('the same bytes');
  });

  it('is refused where it has no place, or where nobody could do it again', async () => {
    const refused = async (...words: readonly string[]) => (await runCommand(['apply', 'photo.jpg', ...words])).errors;
    expect(await refused('--receipt', 'inside', '-o', 'a.pfm')).toContain('PFM');
    expect(await refused('--receipt', 'beside', '-o', 'a.npy')).toContain('NumPy');
    expect(await refused('--receipt', 'beside', '--plan', 'dense', '-o', 'a.png')).toContain('--plan');
  });
});

describe('convolve replay', () => {
  const exports: readonly (readonly [string, readonly string[]])[] = [
    ['a.png', ['--filter', 'unsharp:2', '--filter', 'sobel']],
    ['a.jpg', ['--filter', 'gaussian:3', '--quality', '80', '--progressive', '--chroma', '4:2:0']],
    ['a.tif', ['--kernel', '1 2; 3 4', '--anchor', '0,0', '--bias', '0.1', '--range', 'float', '--compression', 'lzw']],
    ['a.webp', ['--filter', 'emboss', '--lossless', '--resize', '200x200']],
    ['b.png', ['--filter', 'canny', '--dither', '--profile', 'display-p3']],
  ];
  for (const [output, words] of exports)
    it(`gives the bytes of ${output} ${words.join(' ')} again`, async () => {
      await succeed('apply', 'photo.jpg', ...words, '--receipt', 'beside', '-o', output);
      const again = `again${path.extname(output)}`;
      const end = await succeed('replay', `${output}.receipt.json`, 'photo.jpg', '-o', again);
      expect(end.output).toBe(`${again}: the same bytes\n`);
      expect(readFileSync(again).equals(readFileSync(output))).toBe(true);
    });

  it('takes the paths that the receipt names, whatever this computer’s costs are', async () => {
    const words = ['--filter', 'gaussian:2.3', '--range', 'float', '--depth', 'f32'];
    await succeed('apply', 'photo.jpg', ...words, '--receipt', 'beside', '-o', 'a.tif');
    const receipt = receiptOf('a.tif');
    const other = receipt.paths?.[0]?.kind === 'dense' ? 'separable' : 'dense';
    const paths = receipt.paths?.map((path) => ({ ...path, kind: other }));
    writeFileSync('other.json', JSON.stringify({ ...receipt, paths }));
    expect(await runCommand(['replay', 'other.json', 'photo.jpg', '-o', 'b.tif'])).toMatchObject({ code: 1 });
    await succeed('apply', 'photo.jpg', ...words, '--plan', other, '-o', 'c.tif');
    expect(readFileSync('b.tif').equals(readFileSync('c.tif'))).toBe(true);
    expect(readFileSync('b.tif').equals(readFileSync('a.tif'))).toBe(false);
  });

  it('reads a receipt that is inside the picture, and gives that picture again', async () => {
    await succeed('apply', 'upright.jpg', '--filter', 'sharpen', '--receipt', 'inside', '-o', 'a.jpg');
    expect((await succeed('replay', 'a.jpg', 'upright.jpg', '-o', 'b.jpg')).output).toContain('the same bytes');
    expect(readFileSync('b.jpg').equals(readFileSync('a.jpg'))).toBe(true);
  });

  it('takes the page that the receipt names', async () => {
    copyFileSync(path.join(fixtures, 'tiff', 'multipage_3.tif'), 'pages.tif');
    await succeed('apply', 'pages.tif', '--page', '2', '--filter', 'box', '--receipt', 'beside', '-o', 'a.png');
    expect(receiptOf('a.png')).toMatchObject({ source: { page: 2, width: 32, height: 80 } });
    const end = await succeed('replay', 'a.png.receipt.json', 'pages.tif', '-o', 'b.png');
    expect(end.output).toContain('the same bytes');
    expect(await runCommand(['apply', 'pages.tif', '--page', '4', '-o', 'c.png'])).toMatchObject({ code: 2 });
    expect((await succeed('info', 'pages.tif', '--page', '3')).output).toContain('100 × 20');
  });

  it('does the same for a file of a batch', async () => {
    await succeed('batch', 'photo.jpg', '--filter', 'box:5', '--format', 'png', '--receipt', 'beside', '-o', 'out');
    const end = await succeed('replay', 'out/photo.png.receipt.json', 'photo.jpg', '-o', 'again.png', '--json');
    expect(JSON.parse(end.output)).toMatchObject({ ok: true, same: true, why: [] });
  });

  it('refuses another picture, unless it is told to take it, and says why the bytes differ', async () => {
    await succeed('apply', 'photo.jpg', '--filter', 'box', '--receipt', 'beside', '-o', 'a.png');
    const refused = await runCommand(['replay', 'a.png.receipt.json', 'upright.jpg', '-o', 'b.png']);
    expect(refused.errors).toContain('upright.jpg');
    expect(refused.code).toBe(2);
    const forced = await runCommand(['replay', 'a.png.receipt.json', 'upright.jpg', '--force', '-o', 'b.png']);
    expect(forced).toMatchObject({
      code: 1,
      output: 'b.png: other bytes\n',
      errors: 'convolve: it is another picture\n',
    });
  });

  it('says that a receipt is of a newer version, and does not call it damaged', async () => {
    await succeed('apply', 'photo.jpg', '--receipt', 'beside', '-o', 'a.png');
    writeFileSync(
      'newer.json',
      JSON.stringify({ ...receiptOf('a.png'), version: receiptVersion + 1, more: 'what comes then' }),
    );
    const end = await runCommand(['replay', 'newer.json', 'photo.jpg', '-o', 'b.png']);
    expect(end.code).toBe(3);
    expect(end.errors).toContain(
      `newer.json was written by a newer Convolve (version ${receiptVersion + 1} of its form;`,
    );
  });

  it('refuses what is no receipt, and an output in another format', async () => {
    writeFileSync('broken.json', '{"format":"convolve-receipt","version":1}');
    expect(await runCommand(['replay', 'broken.json', 'photo.jpg', '-o', 'b.png'])).toMatchObject({ code: 3 });
    expect(await runCommand(['replay', 'photo.jpg', 'photo.jpg', '-o', 'b.png'])).toMatchObject({ code: 3 });
    await succeed('apply', 'photo.jpg', '--receipt', 'beside', '-o', 'a.png');
    expect(await runCommand(['replay', 'a.png.receipt.json', 'photo.jpg', '-o', 'b.jpg'])).toMatchObject({ code: 2 });
  });
});

describe('a receipt’s own files', () => {
  it('are not replaced by a replay: it would be compared with itself', async () => {
    await succeed('apply', 'photo.jpg', '--filter', 'gaussian:1', '--receipt', 'inside', '-o', 'a.png');
    const before = readFileSync('a.png');
    const end = await runCommand(['replay', 'a.png', 'upright.jpg', '--force', '-o', 'a.png']);
    expect(end).toMatchObject({ code: 2, errors: expect.stringContaining('another file than the receipt') });
    expect(readFileSync('a.png').equals(before)).toBe(true);
  });

  it('are tried before any work: where none can stand beside the picture, there is no picture either', async () => {
    const name = `${'x'.repeat(250)}.png`;
    const end = await runCommand(['apply', 'photo.jpg', '--filter', 'gaussian:1', '--receipt', 'beside', '-o', name]);
    expect(end).toMatchObject({ code: 4, errors: expect.stringContaining('a name that is too long') });
    expect(existsSync(name)).toBe(false);
  });
});

describe('a size that is asked for', () => {
  it('is the one that the report says, and that the file has', async () => {
    const end = await succeed('apply', 'photo.jpg', '--resize', '320x320', '-o', 'a.png', '--json');
    expect(JSON.parse(end.output)).toMatchObject({ width: 320, height: 214 });
    expect((await decodePicture(readFileSync('a.png'), 'a')).width).toBe(320);
  });

  it('is refused with the memory that it would need', async () => {
    const end = await runCommand([
      'apply',
      'photo.jpg',
      '--filter',
      'gaussian:1',
      '--resize',
      '60000x60000',
      '-o',
      'a.png',
    ]);
    expect(end.errors).toMatch(/too large \(it is 60000 × \d+ pixels, which need .* GB of memory/);
  });
});
