// How each pass of a plan runs and why, as data that any language can say, and the sentences in English and 简体中文.

import { assertNever } from './errors';
import type { Language } from './language';

/** What runs: the kernel's grid, `pairs` rows and columns, or the magnitude of two grids. Sizes in weights. */
export interface PassPath {
  readonly kind: 'dense' | 'separable' | 'magnitude';
  readonly width: number;
  readonly height: number;
  /** Row and column pairs; 1 for what is not separable. */
  readonly pairs: number;
}

/** Multiply-adds a pixel of a kernel as `rank` pairs, and as its grid. */
interface Costs {
  readonly rank: number;
  readonly inPairs: number;
  readonly dense: number;
}

export type PassReason =
  | { readonly kind: 'askedFor' }
  | { readonly kind: 'denseIsCheap'; readonly dense: number }
  | { readonly kind: 'notSeparable' }
  | ({ readonly kind: 'pairsCostMore' } & Costs)
  | ({ readonly kind: 'pairsCostLess' } & Costs)
  /** A rank that was asked for and is not below the exact one. */
  | { readonly kind: 'rankReached'; readonly rank: number; readonly exact: number }
  /** `largestError`: of a weight of the kernel. */
  | { readonly kind: 'approximate'; readonly rank: number; readonly exact: number; readonly largestError: number }
  | { readonly kind: 'twoSlopes' };

const pathWords = {
  en: { dense: 'dense', separable: 'separable', rank: 'rank', magnitude: 'gradient magnitude' },
  'zh-CN': { dense: '整体', separable: '可分离', rank: '秩', magnitude: '梯度幅值' },
} as const;

/** A path in a few words, such as `separable 19 + 19`. */
export function pathText({ kind, width, height, pairs }: PassPath, language: Language = 'en'): string {
  const words = pathWords[language];
  switch (kind) {
    case 'dense':
      return `${words.dense} ${width}×${height}`;
    case 'separable':
      if (pairs === 1) return `${words.separable} ${width} + ${height}`;
      return `${words.rank} ${pairs}${language === 'en' ? ': ' : '：'}${pairs} × (${width} + ${height})`;
    case 'magnitude':
      return `${words.magnitude}${language === 'en' ? ', ' : '，'}2 × ${words.dense} ${width}×${height}`;
    default:
      return assertNever(kind);
  }
}

/** Why a pass runs as it does, without a full stop. */
export function reasonText(reason: PassReason, language: Language = 'en'): string {
  return language === 'en' ? englishReason(reason) : chineseReason(reason);
}

function englishReason(reason: PassReason): string {
  switch (reason.kind) {
    case 'askedFor':
      return 'asked for';
    case 'denseIsCheap':
      return `${reason.dense} multiply-adds cost less than row and column passes`;
    case 'notSeparable':
      return 'not a sum of few row and column kernels';
    case 'pairsCostMore':
      return `rank ${reason.rank}: ${reason.inPairs} multiply-adds in ${reason.rank} pairs would cost more than ${reason.dense}`;
    case 'pairsCostLess':
      return `rank ${reason.rank}: ${reason.inPairs} multiply-adds instead of ${reason.dense}, same result`;
    case 'rankReached':
      return `asked for: rank ${reason.rank}; the kernel's exact rank is ${reason.exact}`;
    case 'approximate':
      return `asked for: rank ${reason.rank} of ${reason.exact}, approximate, largest weight error ${reason.largestError.toExponential(2)}`;
    case 'twoSlopes':
      return 'the length of two slopes, both taken in one pass';
    default:
      return assertNever(reason);
  }
}

function chineseReason(reason: PassReason): string {
  switch (reason.kind) {
    case 'askedFor':
      return '按要求';
    case 'denseIsCheap':
      return `${reason.dense} 次乘加比行列分步更省`;
    case 'notSeparable':
      return '不能写成少数几对行核与列核之和';
    case 'pairsCostMore':
      return `秩为 ${reason.rank}：分成 ${reason.rank} 对需 ${reason.inPairs} 次乘加，比 ${reason.dense} 次更费`;
    case 'pairsCostLess':
      return `秩为 ${reason.rank}：用 ${reason.inPairs} 次乘加代替 ${reason.dense} 次，结果相同`;
    case 'rankReached':
      return `按要求：秩 ${reason.rank}；该核的精确秩为 ${reason.exact}`;
    case 'approximate':
      return `按要求：秩 ${reason.rank}（共 ${reason.exact}），近似，权重最大误差 ${reason.largestError.toExponential(2)}`;
    case 'twoSlopes':
      return '两个方向斜率的长度，一遍算出';
    default:
      return assertNever(reason);
  }
}
