// How each pass of a plan runs and why, as data that any language can say, and the sentences in English and 简体中文.

import { assertNever } from './errors';
import type { Language } from './language';
import type { VariantName } from './pass';

/**
 * What runs, with the kernel's size in weights. taps: weights that are not 0. pairs: of a row and a column. lines: each row
 * and column is transformed by itself instead of summed. What a grid may be quicker for (core/gridWeights.ts): zeros, of its
 * weights; whole, that they are small whole numbers. divided: its sums are, by something else than a power of two. What pairs
 * take longer for (core/pairWeights.ts): uneven, that their taps do not mirror each other; floats, that bytes are not summed in
 * whole numbers.
 */
export type PassPath = { readonly width: number; readonly height: number } & (
  | { readonly kind: 'fft' | 'box' | 'magnitude' | 'diffusion' }
  | { readonly kind: 'dense'; readonly zeros?: number; readonly whole?: true; readonly divided?: true }
  | { readonly kind: 'sparse'; readonly taps: number; readonly divided?: true }
  | {
      readonly kind: 'separable';
      readonly pairs: number;
      readonly lines?: true;
      readonly uneven?: true;
      readonly floats?: true;
    }
);

/** Every kind of path of a pass. */
export const pathKinds = [
  'dense',
  'sparse',
  'separable',
  'box',
  'fft',
  'magnitude',
  'diffusion',
] as const satisfies readonly PassPath['kind'][];

/** How a filter runs: a pass, or a search for edges in two gradients that run alike. */
export type FilterPath = PassPath | { readonly kind: 'edges'; readonly gradient: PassPath; readonly use?: 'direction' };

/** A path with the milliseconds that it would take over the whole picture. */
export interface PathTime {
  readonly path: PassPath;
  readonly milliseconds: number;
}

export type PassReason =
  | { readonly kind: 'askedFor' }
  /** The name of a teaching variant. */
  | { readonly kind: 'variant'; readonly name: VariantName }
  /** `next`: the second-best of the paths that give the same result. */
  | { readonly kind: 'fastest'; readonly next: PathTime }
  /** The dense grid, where `next` is predicted to be faster by less than a prediction is worth. */
  | { readonly kind: 'asFast'; readonly next: PathTime }
  /** No other path gives the same result. */
  | { readonly kind: 'onlyPath' }
  /** A rank that was asked for and is not below the exact one. */
  | { readonly kind: 'rankReached'; readonly rank: number; readonly exact: number }
  /** `largestError`: of a weight of the kernel, by its divisor. */
  | { readonly kind: 'approximate'; readonly rank: number; readonly exact: number; readonly largestError: number }
  | { readonly kind: 'twoSlopes' }
  | { readonly kind: 'ownWeights' }
  | { readonly kind: 'wholePicture' };

const pathWords = {
  en: {
    dense: 'dense',
    sparse: 'sparse',
    of: 'of',
    separable: 'separable',
    rank: 'rank',
    box: 'running sums',
    fft: 'FFT',
    magnitude: 'gradient magnitude',
    diffusion: 'flows to four neighbours',
    lines: ', transformed line by line',
    edges: 'edges in two gradients',
    direction: 'direction of two gradients',
  },
  'zh-CN': {
    dense: '整体',
    sparse: '稀疏',
    of: '/',
    separable: '可分离',
    rank: '秩',
    box: '滑动求和',
    fft: 'FFT',
    magnitude: '梯度幅值',
    diffusion: '与四邻域之间的流动',
    lines: '，逐行逐列变换',
    edges: '由两个梯度求边缘',
    direction: '两个梯度的方向',
  },
} as const;

/** A path in a few words, such as `separable 19 + 19`. */
export function pathText(path: FilterPath, language: Language = 'en'): string {
  const words = pathWords[language];
  if (path.kind === 'edges')
    return `${words[path.use ?? 'edges']}${language === 'en' ? ', each ' : '，各'}${pathText(path.gradient, language)}`;
  const { width, height } = path;
  switch (path.kind) {
    case 'dense':
    case 'box':
    case 'fft':
      return `${words[path.kind]} ${width}×${height}`;
    case 'sparse':
      return `${words.sparse} ${path.taps} ${words.of} ${width}×${height}`;
    case 'separable': {
      const lines = path.lines ? words.lines : '';
      if (path.pairs === 1) return `${words.separable} ${width} + ${height}${lines}`;
      return `${words.rank} ${path.pairs}${language === 'en' ? ': ' : '：'}${path.pairs} × (${width} + ${height})${lines}`;
    }
    case 'magnitude':
      return `${words.magnitude}${language === 'en' ? ', ' : '，'}2 × ${words.dense} ${width}×${height}`;
    case 'diffusion':
      return words.diffusion;
    default:
      return assertNever(path);
  }
}

/** Milliseconds with two digits, as a prediction deserves: 0.034, 1.2, 140. */
export function predictedText(milliseconds: number, language: Language = 'en'): string {
  const text =
    milliseconds >= 10 ? String(Math.round(Number(milliseconds.toPrecision(2)))) : milliseconds.toPrecision(2);
  return `${text} ${language === 'en' ? 'ms' : '毫秒'}`;
}

/** How much of a result waits in memory for the next filter, without a full stop. */
export function keptText(bytes: number, language: Language = 'en'): string {
  const size = `${Math.round(bytes / 2 ** 20)} MiB`;
  return language === 'en' ? `keeps ${size} of its result for the next filter` : `为下一个滤镜保留 ${size} 的结果`;
}

const linesBecause = {
  en: 'rows and columns this long take less to transform, each by itself, than to sum',
  'zh-CN': '这么长的行和列，各自变换比逐项求和更省',
} as const;

/** Why a pass runs as it does, without a full stop. */
export function reasonText(reason: PassReason, language: Language = 'en', path?: FilterPath): string {
  const text = language === 'en' ? englishReason(reason) : chineseReason(reason);
  if (path?.kind !== 'separable' || !path.lines) return text;
  return `${text}${language === 'en' ? '; ' : '；'}${linesBecause[language]}`;
}

function englishReason(reason: PassReason): string {
  switch (reason.kind) {
    case 'askedFor':
      return 'asked for';
    case 'variant':
      return `asked for: the teaching variant ${reason.name}`;
    case 'fastest':
      return `the fastest way to the same result; ${pathText(reason.next.path)} would take ${predictedText(reason.next.milliseconds)}`;
    case 'asFast':
      return `no slower, as far as one can tell, than ${pathText(reason.next.path)}, predicted ${predictedText(reason.next.milliseconds)}`;
    case 'onlyPath':
      return 'the only way to this result';
    case 'rankReached':
      return `asked for: rank ${reason.rank}; the kernel's exact rank is ${reason.exact}`;
    case 'approximate':
      return `asked for: rank ${reason.rank} of ${reason.exact}, approximate, largest weight error ${reason.largestError.toExponential(2)}`;
    case 'twoSlopes':
      return 'the length of two slopes, both taken in one pass';
    case 'ownWeights':
      return "edges stop it: every pixel has weights of its own, which come from its neighbours' differences";
    case 'wholePicture':
      return 'whether a pixel is an edge may depend on the far end of its line, so the whole picture is searched once';
    default:
      return assertNever(reason);
  }
}

function chineseReason(reason: PassReason): string {
  switch (reason.kind) {
    case 'askedFor':
      return '按要求';
    case 'variant':
      return `按要求：教学变体 ${reason.name}`;
    case 'fastest':
      return `得到同样结果的最快方式；${pathText(reason.next.path, 'zh-CN')} 需要 ${predictedText(reason.next.milliseconds, 'zh-CN')}`;
    case 'asFast':
      return `与预计 ${predictedText(reason.next.milliseconds, 'zh-CN')} 的${pathText(reason.next.path, 'zh-CN')}相比看不出更慢`;
    case 'onlyPath':
      return '得到该结果的唯一方式';
    case 'rankReached':
      return `按要求：秩 ${reason.rank}；该核的精确秩为 ${reason.exact}`;
    case 'approximate':
      return `按要求：秩 ${reason.rank}（共 ${reason.exact}），近似，权重最大误差 ${reason.largestError.toExponential(2)}`;
    case 'twoSlopes':
      return '两个方向斜率的长度，一遍算出';
    case 'ownWeights':
      return '边缘会阻止扩散：每个像素的权重由它与邻域的差决定，各不相同';
    case 'wholePicture':
      return '某像素是否为边缘可能取决于这条线的远端，因此对整幅图像搜索一次';
    default:
      return assertNever(reason);
  }
}
