// Kernels as code: the text of each target, what it loses, and, where Python with SciPy or OpenCV, ImageMagick or a C++ compiler are
// installed, what the code does to a picture against plain sums. A missing program skips its test by name.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeSettings } from '../../../core/codeText';
import { denseOfKernel } from '../../../core/filterForm';
import { catalogueEntry } from '../../../core/filters';
import { parseKernelText } from '../../../core/formats';
import { readKernelText } from '../../../core/interchange/read';
import { createKernel, type Kernel, toCorrelation } from '../../../core/kernel';
import { type CodeTarget, kernelCode as codeIn, codeTargets, magickKernelText } from '../../../core/kernelCode';
import type { Language } from '../../../core/language';
import { type Border, borderKinds } from '../../../core/pass';
import { codeWordsOf, englishWords } from './codeWordsOf';
import { correlate, picture } from './directSum';

const kernelCode = (target: CodeTarget, kernel: Kernel, settings: CodeSettings) =>
  codeIn(target, kernel, settings, englishWords);

const plain: CodeSettings = { ...catalogueEntry('custom').create('f1', 'u8'), alpha: 'straight' };
const withBorder = (kind: Border['kind'], size: 'same' | 'valid' = 'same'): CodeSettings => ({
  ...plain,
  size,
  border: kind === 'constant' ? { kind, value: 0.2 } : { kind },
});
const lopsided = createKernel(4, 3, [1, 2, 3, 4, 5, -6, 7, 8, 9, 10, 11, 0.5], {
  anchorX: 0,
  anchorY: 2,
  divisor: 45,
  bias: 0.125,
});
const turned: Kernel = { ...lopsided, orientation: 'convolution' };
const even = createKernel(2, 2, [1, 2, 3, 4]);
const kernels = [lopsided, turned, even];

describe('the text', () => {
  it('holds the correlation weights, the anchor and the divisor of every target', () => {
    const text = (target: (typeof codeTargets)[number]) => kernelCode(target, turned, plain).text;
    for (const target of codeTargets)
      expect(text(target)).toMatch(/\b0\.5f?\b.*\b11(\.0f?)?\b.*\b10(\.0f?)?\b.*\b9(\.0f?)?\b/s);
    expect(text('numpy')).toContain("np.einsum('...ij,ij->...', windows, kernel) / 45 + 0.125 * full_scale");
    expect(text('scipy')).toContain('origin = (-1, 1)');
    expect(text('opencvPython')).toContain('anchor=(3, 0)');
    expect(text('opencvCpp')).toContain('cv::Point(3, 0)');
    expect(text('imageMagick')).toContain("-morphology Correlate '4x3+3+0: 0.5,11,10,9");
    expect(text('glsl')).toContain('float[12](\n  0.5, 11.0, 10.0, 9.0,');
    expect(text('cuda')).toContain('__constant__ float kWeights[12] = {\n  0.5f, 11.0f, 10.0f, 9.0f,');
    expect(text('matlab')).toContain("conv2(padded(:, :, channel), rot90(kernel, 2), 'valid')");
  });

  it('names the border in each target’s own word', () => {
    const has = (target: (typeof codeTargets)[number], kind: Border['kind'], words: string) =>
      expect(kernelCode(target, even, withBorder(kind)).text, `${target} ${kind}`).toContain(words);
    has('numpy', 'reflect', "mode='symmetric'");
    has('numpy', 'mirror', "mode='reflect'");
    has('scipy', 'reflect', "mode='reflect'");
    has('scipy', 'mirror', "mode='mirror'");
    has('opencvPython', 'mirror', 'cv2.BORDER_REFLECT_101');
    has('opencvCpp', 'constant', 'cv::BORDER_CONSTANT, cv::Scalar::all(0.2 * full_scale)');
    has('imageMagick', 'wrap', '-virtual-pixel tile');
    has('imageMagick', 'constant', "-background 'gray(20%)' -virtual-pixel background");
  });

  it('of ImageMagick’s kernel is read back as the same kernel', () => {
    for (const kernel of kernels) {
      const { width, height, anchorX, anchorY, weights } = toCorrelation(kernel);
      expect(parseKernelText(magickKernelText(kernel)).kernel).toMatchObject({
        width,
        height,
        anchorX,
        anchorY,
        weights,
      });
    }
  });
});

describe('losses', () => {
  it('are none where the target does what the filter does', () => {
    for (const target of ['numpy', 'scipy', 'opencvPython', 'opencvCpp', 'matlab', 'cuda', 'glsl'] as const)
      expect(kernelCode(target, even, plain).losses, target).toEqual([]);
  });

  it('come first in the text, as comments, behind #version', () => {
    const settings: CodeSettings = { ...plain, alpha: 'weighted', light: 'linear', range: 'rescale', size: 'valid' };
    const { text, losses } = kernelCode('scipy', even, settings);
    expect(losses).toEqual([{ kind: 'alpha' }, { kind: 'light' }, { kind: 'range', wanted: 'rescale' }]);
    expect(text.split('\n').slice(0, 3)).toEqual(losses.map((loss) => `# ${englishWords.notKept(loss)}`));
    const shader = kernelCode('glsl', createKernel(1, 1, [0.1]), settings);
    expect(shader.losses.map(({ kind }) => kind)).toEqual(['size', 'alpha', 'light', 'range', 'precision']);
    expect(shader.text).toMatch(/^#version 300 es\n\/\/ Not kept: /);
  });

  it('and all other comments are in the language of whom the code is for', () => {
    const settings: readonly CodeSettings[] = [
      { ...withBorder('mirror'), alpha: 'weighted', light: 'linear', range: 'rescale' },
      withBorder('constant'),
      withBorder('reflect', 'valid'),
    ];
    // The launch of CUDA's kernel stands as code.
    const isComment = (line: string) => /^\s*(?:#[^iv]|\/\/ (?!dim3)|%|"{3})/.test(line);
    for (const target of codeTargets)
      for (const setting of settings) {
        const lines = (language: Language) => codeIn(target, lopsided, setting, codeWordsOf(language)).text.split('\n');
        const [english, chinese] = [lines('en'), lines('zh-CN')];
        expect(english.filter(isComment).length, target).toBeGreaterThan(0);
        for (const line of chinese.filter(isComment)) expect(line, target).toMatch(/[\u4e00-\u9fff]/);
        for (const line of english.filter(isComment)) expect(line).not.toMatch(/[\u4e00-\u9fff]|codeComment|\{\{/);
        const code = (all: readonly string[]) => all.filter((line) => !isComment(line));
        expect(code(chinese), target).toEqual(code(english));
      }
  });

  it('of ImageMagick: the mirror border, the depth, floats', () => {
    expect(kernelCode('imageMagick', even, { ...withBorder('mirror'), range: 'float' }).losses).toEqual([
      { kind: 'border', wanted: 'mirror', used: 'reflect' },
      { kind: 'range', wanted: 'float' },
      { kind: 'depth' },
    ]);
  });

  it('of shaders: more weights than constants', () => {
    const large = createKernel(129, 129, new Array<number>(129 * 129).fill(1));
    expect(kernelCode('glsl', large, plain).losses).toEqual([{ kind: 'weights', count: 16641, limit: 1024 }]);
    expect(kernelCode('cuda', large, plain).text).toContain('__device__ const float kWeights[16641]');
  });
});

// ---- What the code does ----------------------------------------------------------------------------------------------

const runs = (program: string, ...parameters: string[]) => spawnSync(program, parameters).status === 0;
const pythonWith = (module: string) =>
  ['python3', '/usr/bin/python3'].find((program) => runs(program, '-c', `import numpy, ${module}`));
const scipy = pythonWith('scipy.ndimage');
const programs = { numpy: scipy, scipy, opencvPython: pythonWith('cv2') } as const;
const magick = ['magick', 'convert', '/usr/bin/convert'].find((program) => runs(program, '-version'));
const hasCompiler = runs('g++', '--version');

const scene = picture(13, 9, (x, y) => (x * 31 + y * 17 + x * y * 5) % 256);

/** What the filter is: sums over the whole picture, with bias, border value and cropping. */
function expected(kernel: Kernel, kind: Border['kind'], size: 'same' | 'valid'): readonly number[] {
  const dense = denseOfKernel(kernel);
  const value = kind === 'constant' ? 0.2 * 255 : 0;
  // Taking the border's value off the picture turns a constant border into one of zeros.
  const shifted = { ...scene, values: scene.values.map((sample) => sample - value) };
  const gain = dense.weights.reduce((sum, weight) => sum + weight, 0) / dense.divisor;
  const { values, width, height } = correlate(shifted, dense, kind);
  const result = values.map((sample) => sample + gain * value + kernel.bias * 255);
  if (size === 'same') return [...result];
  const { anchorX, anchorY } = dense;
  return [...result].filter((_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    const right = width - (dense.width - 1 - anchorX);
    const bottom = height - (dense.height - 1 - anchorY);
    return x >= anchorX && x < right && y >= anchorY && y < bottom;
  });
}

const cases = kernels.flatMap((kernel) =>
  borderKinds.flatMap((kind) => (['same', 'valid'] as const).map((size) => ({ kernel, kind, size }))),
);

describe('run', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kernel-code-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  for (const target of ['numpy', 'scipy', 'opencvPython'] as const)
    it.skipIf(!programs[target])(
      `${target} gives the filter’s own numbers (needs Python with SciPy, or OpenCV)`,
      () => {
        const texts = cases.map(({ kernel, kind, size }) => kernelCode(target, kernel, withBorder(kind, size)).text);
        const program =
          `import json, sys\nimport numpy as np\n` +
          `given = json.load(sys.stdin)\n` +
          `grey = np.array(given['samples'], dtype=np.uint8).reshape(${scene.height}, ${scene.width})\n` +
          `results = []\n` +
          `for text in given['texts']:\n    names = {}\n    exec(text, names)\n` +
          `    one = names['filter_image'](grey)\n` +
          `    three = names['filter_image'](np.stack([grey, grey // 2, grey], axis=-1))\n` +
          `    assert np.allclose(three[..., 0], one) and np.allclose(three[..., 2], one)\n` +
          `    results.append(one.ravel().tolist())\n` +
          `print(json.dumps(results))\n`;
        const input = JSON.stringify({ texts, samples: [...scene.values] });
        const results: number[][] = JSON.parse(
          execFileSync(programs[target] ?? '', ['-c', program], { input, encoding: 'utf8' }),
        );
        cases.forEach(({ kernel, kind, size }, index) => {
          const truth = expected(kernel, kind, size);
          const found = results[index] ?? [];
          expect(found.length, `${kind} ${size}`).toBe(truth.length);
          truth.forEach((value, place) => {
            expect(found[place], `${kind} ${size} ${place}`).toBeCloseTo(value, 9);
          });
        });
      },
    );

  it.skipIf(!hasCompiler)(
    'CUDA’s kernel, compiled for the host, gives the filter’s own numbers (needs g++)',
    () => {
      const same = cases.filter(({ size }) => size === 'same');
      const parts = same.map(({ kernel, kind }, index) => {
        const { text } = kernelCode('cuda', kernel, withBorder(kind));
        return `namespace n${index} {\n${text}\n}\n`;
      });
      const calls = same.map(
        (_, index) =>
          `  for (blockIdx.y = 0; blockIdx.y < ${scene.height}; ++blockIdx.y)\n` +
          `    for (blockIdx.x = 0; blockIdx.x < ${scene.width}; ++blockIdx.x) n${index}::FilterImage(in, out, ${scene.width}, ${scene.height}, 1, 255.0f);\n` +
          `  for (float value : out) std::printf("%.9g ", value);\n`,
      );
      const source =
        `#include <cstddef>\n#include <cstdio>\nusing std::size_t;\n` +
        `#define __constant__ static const\n#define __device__\n#define __global__\n` +
        `struct Place3 { int x, y; };\nstatic Place3 blockIdx{0, 0}, blockDim{1, 1}, threadIdx{0, 0};\n` +
        `static float in[] = {${[...scene.values].join(',')}};\nstatic float out[${scene.values.length}];\n` +
        `${parts.join('')}int main() {\n${calls.join('')}}\n`;
      writeFileSync(path.join(folder, 'host.cpp'), source);
      execFileSync('g++', ['-std=c++17', '-O0', 'host.cpp', '-o', 'host'], { cwd: folder });
      const found = execFileSync(path.join(folder, 'host'), { encoding: 'utf8' }).trim().split(' ').map(Number);
      const truth = same.flatMap(({ kernel, kind }) => expected(kernel, kind, 'same'));
      expect(found.length).toBe(truth.length);
      truth.forEach((value, index) => {
        expect(Math.abs((found[index] ?? Number.NaN) - value)).toBeLessThan(1e-3);
      });
    },
    60_000,
  );

  it.skipIf(!magick)(
    'strings for ImageMagick’s Convolve are read as it runs them (needs ImageMagick)',
    () => {
      const header = `P5\n${scene.width} ${scene.height}\n255\n`;
      const input = Buffer.concat([Buffer.from(header), Buffer.from([...scene.values])]);
      writeFileSync(path.join(folder, 'scene.pgm'), input);
      const texts = [
        '2x3+1+0: 1 2 3 4 5 6',
        'Sobel:45',
        'Comet:0,1',
        '3x3+0+2: 0 1 nan 2 5 - 1 1 3',
        'Blur:0,1,90',
        'DoG:0,1,2',
      ];
      for (const text of texts)
        for (const [method, scale] of [
          ['Convolve', '0.05'],
          ['Correlate', '!'],
        ] as const) {
          const words = [
            '-define',
            `convolve:scale=${scale}`,
            '-define',
            'convolve:bias=50%',
            '-morphology',
            method,
            text,
          ];
          execFileSync(magick ?? '', ['scene.pgm', '-virtual-pixel', 'mirror', ...words, '-depth', '16', 'out.pgm'], {
            cwd: folder,
          });
          const [read] = readKernelText(`${words.slice(0, -1).join(' ')} '${text}'`).kernels;
          const bytes = readFileSync(path.join(folder, 'out.pgm'));
          const samples = bytes.subarray(bytes.length - 2 * scene.values.length);
          expected(read?.kernel as Kernel, 'reflect', 'same').forEach((value, index) => {
            const clamped = Math.min(255, Math.max(0, value));
            expect(
              Math.abs(samples.readUInt16BE(2 * index) / 257 - clamped),
              `${method} ${text} ${index}`,
            ).toBeLessThan(0.01);
          });
        }
    },
    60_000,
  );

  it.skipIf(!magick)(
    'ImageMagick’s command gives the filter’s own picture (needs ImageMagick)',
    () => {
      const header = `P5\n${scene.width} ${scene.height}\n255\n`;
      writeFileSync(
        path.join(folder, 'input.pgm'),
        Buffer.concat([Buffer.from(header), Buffer.from([...scene.values])]),
      );
      for (const kernel of kernels)
        for (const kind of ['zero', 'constant', 'replicate', 'reflect', 'wrap'] as const) {
          const { text } = kernelCode('imageMagick', kernel, withBorder(kind));
          const command = text
            .replace(/^magick /m, `${magick} `)
            .replace('input.png', 'input.pgm')
            .replace('output.png', '-depth 16 output.pgm');
          execFileSync('sh', ['-c', command], { cwd: folder });
          const bytes = readFileSync(path.join(folder, 'output.pgm'));
          const samples = bytes.subarray(bytes.length - 2 * scene.values.length);
          const found = scene.values.map((_, index) => samples.readUInt16BE(2 * index) / 257);
          expected(kernel, kind, 'same').forEach((value, index) => {
            const clamped = Math.min(255, Math.max(0, value));
            expect(Math.abs((found[index] ?? Number.NaN) - clamped), `${kind} ${index}`).toBeLessThan(0.01);
          });
        }
    },
    60_000,
  );
});
