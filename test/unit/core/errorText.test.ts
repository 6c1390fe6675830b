// The words of failures: every code has a sentence in both languages, on one line, that names the subject.

import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/document';
import { withParameter } from '../../../core/edits';
import { applicationErrorCodes, ConvolveError, engineErrorCodes, type Failure } from '../../../core/errors';
import { errorText } from '../../../core/errorText';
import { catalogueEntry } from '../../../core/filters';
import { parseKernelText } from '../../../core/formats';
import { createKernel, validateKernel } from '../../../core/kernel';
import { parsePathChoice } from '../../../core/paths';
import { planStack } from '../../../core/plan';

const codes = [...engineErrorCodes, ...applicationErrorCodes];
/** Codes whose sentence is the same whatever the subject. */
const withoutSubject = ['cancelled', 'imageUnknown', 'clipboardEmpty'];

function failureOf(run: () => unknown): Failure {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown.failure;
    throw thrown;
  }
  throw new Error('nothing failed');
}

describe('error text', () => {
  it.each(codes)('%s is a sentence in both languages', (code) => {
    for (const failure of [{ code }, { code, subject: 'photo.jpg', expected: 'this', actual: 'that' }]) {
      const english = errorText(failure);
      expect(english).toMatch(/^\S.*\.$/);
      expect(english).not.toMatch(/undefined|\s\s|\(\)|: \./);
      const chinese = errorText(failure, 'zh-CN');
      expect(chinese).toMatch(/[\u4e00-\u9fff].*。$/);
      expect(chinese).not.toMatch(/undefined|\(\)/);
    }
    if (withoutSubject.includes(code)) return;
    const named = { code, subject: 'photo.jpg' };
    expect(errorText(named)).toContain('photo.jpg');
    expect(errorText(named, 'zh-CN')).toContain('photo.jpg');
  });

  it('takes a file’s name for a name, whatever words or objects are called so', () => {
    expect(errorText({ code: 'fileNotFound', subject: 'constructor' }, 'zh-CN')).toBe(
      '找不到 constructor。请检查文件名和文件夹。',
    );
  });

  it('speaks of sizes only where a plan fails for its sizes', () => {
    expect(errorText({ code: 'invalidPlan', subject: 'box', expected: '5 × 5', actual: '3 × 3' })).toMatch(
      /^The kernel of/,
    );
    const failure = { code: 'invalidPlan', subject: 'passes[0].alpha', expected: 'a mode', actual: '7' } as const;
    expect(errorText(failure)).toBe('The filters cannot run: passes[0].alpha (it is 7; it must be a mode).');
    expect(errorText(failure, 'zh-CN')).toContain('无法运行滤镜');
  });

  it('says what to do about a file', () => {
    expect(errorText({ code: 'fileNotFound', subject: 'a.png' })).toBe(
      'a.png was not found. Check its name and folder.',
    );
    expect(errorText({ code: 'fileEmpty', subject: 'a.png' }, 'zh-CN')).toBe(
      'a.png 是空文件（0 字节）。请选择其他文件。',
    );
    expect(errorText({ code: 'targetUnwritable', subject: 'a.png', actual: 'no permission' })).toBe(
      'a.png cannot be written: no permission. Choose another name or folder.',
    );
    expect(errorText({ code: 'folderInUse', subject: 'out' })).toBe(
      'Another batch is writing to out. Wait until it ends, or choose another folder.',
    );
  });

  it('names the field of a kernel, its value and what it may be', () => {
    const text = (kernel: Parameters<typeof createKernel>) => {
      const failure = failureOf(() => validateKernel(createKernel(...kernel)));
      return [errorText(failure), errorText(failure, 'zh-CN')];
    };
    expect(text([1, 1, [1], { divisor: 0 }])).toEqual([
      "The kernel's divisor is 0. It must be a finite number other than 0.",
      '卷积核的除数是 0，应为 不为 0 的有限数。',
    ]);
    expect(text([2, 2, [1, 2, 3]])[0]).toBe('The kernel needs 2 × 2 = 4 weights, but has 3.');
    expect(text([2, 1, [1, Number.NaN]])).toEqual([
      'A weight of the kernel is NaN (row 1, column 2). Type a finite number.',
      '卷积核有一个权重是 NaN（第 1 行第 2 列）。请输入有限的数。',
    ]);
    expect(text([512, 1, new Array<number>(512).fill(1)])[0]).toBe("The kernel's width is 512. It must be 1…511.");
    expect(text([2, 2, [1, 2, 3, 4], { anchorX: 2 }])[0]).toContain('anchor is 2, 1. It must be 0…1, 0…1.');
  });

  it('names the place in a text', () => {
    expect(errorText(failureOf(() => parseKernelText('1 2\n3 x')))).toBe(
      'The kernel cannot be read at line 2, column 3: “x”, where a number was expected. Correct it there.',
    );
    expect(
      errorText(
        failureOf(() => parseKernelText('1 2\n3')),
        'zh-CN',
      ),
    ).toBe('无法读取卷积核：第 2 行第 2 列处是 文本结尾，此处应为第 2 行的第 2 个数（第 1 行有 2 个）。请在该处改正。');
  });

  it('leaves no English in a Chinese sentence about a kernel text', () => {
    const texts = [
      '0,5 1,0',
      'x',
      '[',
      '[1',
      '[]',
      '[[1],2]',
      '[[1,2;3,4],[1]]',
      '1/0',
      '[1]/0',
      '[1]*[2]',
      '2/[1]',
      'foo',
      'np.exp(1)',
      '3x3: 1',
      '3x1>: 1 2 3',
      '2x1: 1 2; 1',
      'Sobel',
      '{"kernel"',
      'ones(0)',
      '[1].foo()',
      '[1].reshape(3,3)',
      '/*',
      '(((((((((((((((((((((((((((((((((((((((((1',
      'ones(x)',
      'array(1 2',
    ];
    for (const text of texts) {
      const chinese = errorText(
        failureOf(() => parseKernelText(text)),
        'zh-CN',
      );
      const english = chinese.replace(/“[^”]*”/g, '').match(/[a-z]{2,} [a-z]{2,}/g);
      expect(english, `${text} → ${chinese}`).toBeNull();
    }
  });

  it('names the path that a filter cannot take, and why', () => {
    const sharpen = catalogueEntry('sharpen').create('f', 'u8');
    const image = { width: 9, height: 9, channels: 3, sampleType: 'u8' } as const;
    const failure = (path: string, one: Filter = sharpen) =>
      failureOf(() => planStack([one], image, { path: parsePathChoice(path) }));
    const sobel = catalogueEntry('sobel').create('f', 'u8');
    expect(errorText(failure('fft', sobel))).toBe(
      'This filter cannot run as “fft”: it has two kernels, a gradient, and that path needs one kernel. Use auto.',
    );
    expect(errorText(failure('fft', sobel), 'zh-CN')).toContain('两个卷积核（梯度）');
    expect(errorText(failure('box'))).toContain('it has weights that differ or are 0');
    const wide = withParameter(catalogueEntry('gaussian').create('f', 'u8'), 'sigma', 500);
    expect(errorText(failure('dense', wide))).toContain('it has 4061 × 4061 weights, and that path needs at most 511');
    expect(errorText(failure('separable'))).toContain('it has rank 2, and that path needs a kernel of rank 1');
    expect(errorText(failure('separable'), 'zh-CN')).toContain('秩为 2');
    const large = withParameter({ ...catalogueEntry('box').create('f', 'u8'), size: 'valid' }, 'width', 31);
    expect(errorText(failureOf(() => planStack([large], image)))).toMatch(
      /box is 31 × 31 but the picture is only 9 × 9/,
    );
  });

  it('stays on one line and readable, whatever a file is called', () => {
    const hostile = `a\nb\u202Egnp.\u0000${'x'.repeat(1000)}.png`;
    const text = errorText({ code: 'fileNotFound', subject: hostile });
    for (const character of ['\n', '\u202E', '\u0000']) expect(text).not.toContain(character);
    expect(text.length).toBeLessThan(400);
  });
});
