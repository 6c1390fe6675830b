// A filter in words: its name and the short summary that the stack shows. Pure but for the translating function it is given.

import type { Filter } from '../../core/document';
import { assertNever } from '../../core/errors';
import { repeatOf } from '../../core/filterForm';
import { type ParameterKey, type ParameterValue, standardConductance } from '../../core/filters';
import type { Kernel } from '../../core/kernel';
import { plainMix } from '../../core/mix';
import { isApproximate } from '../../core/rank';
import { decompose, rankOf } from '../../core/separability';
import type { Translate } from '../i18n/useWords';
import { formatNumber } from '../ui/numberText';
import { channelChoiceOf } from './channelChoices';

export function filterName(filter: Filter, t: Translate): string {
  const given = filter.kind === 'custom' ? filter.name : filter.label;
  return given ? given : t(`filter.${filter.kind}`);
}

/** A parameter's value: a number, or the words of a choice. */
export function parameterText(key: ParameterKey, value: ParameterValue, t: Translate): string {
  if (typeof value === 'number') return key === 'direction' ? t(`directionName.d${value}`) : formatNumber(value, 4);
  return key === 'operator' ? t(`operatorName.${value}`) : t(`stoppingName.${value}`);
}

/** Above this width or height the summary does not name the rank: finding it would take longer than a frame. */
const rankLimit = 15;
const ranks = new WeakMap<Kernel, number>();

function kernelRank(kernel: Kernel): number | null {
  if (Math.max(kernel.width, kernel.height) > rankLimit || !kernel.weights.every(Number.isFinite)) return null;
  const known = ranks.get(kernel);
  if (known !== undefined) return known;
  const rank = rankOf(decompose(kernel));
  ranks.set(kernel, rank);
  return rank;
}

/** `σ 0.6`, `7×7 · rank 4`, `50 % · Multiply · σ 3`, `rank 3, approximate`, `off`. */
export function filterSummary(filter: Filter, t: Translate): string {
  if (!filter.enabled) return t('stack.off');
  const own =
    filter.rank !== undefined && isApproximate(filter)
      ? t('rank.inStack', { rank: filter.rank })
      : ownSummary(filter, t);
  const { repeat = 1 } = filter;
  const applied = repeat > 1 && repeatOf(filter) === repeat ? t('stack.times', { own, times: repeat }) : own;
  return [...mixWords(filter, t), applied].join(' · ');
}

/** What of a filter's mix is not as usual: `50 %`, `Multiply`, `Red`. */
function mixWords({ mix = plainMix }: Filter, t: Translate): readonly string[] {
  return [
    ...(mix.opacity === 1 ? [] : [`${formatNumber(mix.opacity * 100, 3)} %`]),
    ...(mix.blend === 'normal' ? [] : [t(`blend.${mix.blend}`)]),
    ...(mix.channels === 'all' ? [] : [t(`channelsShort.${channelChoiceOf(mix.channels)}`)]),
  ];
}

function ownSummary(filter: Filter, t: Translate): string {
  const number = (value: number) => formatNumber(value, 4);
  switch (filter.kind) {
    case 'gaussian':
    case 'highPass':
    case 'laplacianOfGaussian':
      return `σ ${number(filter.sigma)}`;
    case 'box':
    case 'binomial':
      return t('stack.kernelSize', { width: filter.width, height: filter.width });
    case 'lens':
      return `r ${number(filter.radius)}`;
    case 'motion':
      return `${number(filter.length)} px · ${number(filter.angle)}°`;
    case 'diffusion': {
      const { iterations: count, rate, stopping = 'none', conductance = standardConductance } = filter;
      if (stopping !== 'none') return t('stack.stoppedIterations', { count, conductance: number(conductance) });
      return t('stack.iterations', { count, sigma: number(Math.sqrt(2 * rate * count)) });
    }
    case 'sharpen':
      return `${number(filter.amount)}× · ${t('stack.neighbours', { count: filter.neighbours })}`;
    case 'differenceOfGaussians':
      return `σ ${number(filter.sigma)} − ${number(filter.sigma * filter.ratio)}`;
    case 'unsharp': {
      const threshold = (filter.threshold ?? 0) > 0 ? ` · ≥ ${number(filter.threshold ?? 0)} %` : '';
      return `σ ${number(filter.sigma)} · ${number(filter.amount)}×${threshold}`;
    }
    case 'localContrast':
      return `σ ${number(filter.sigma)} · ${number(filter.amount)}×`;
    case 'laplacian':
      return t('stack.neighbours', { count: filter.neighbours });
    case 'sobel':
    case 'scharr':
    case 'prewitt':
      return t('stack.kernelSize', { width: 3, height: 3 });
    case 'roberts':
      return t('stack.kernelSize', { width: 2, height: 2 });
    case 'canny': {
      const [low, high] = [filter.low, filter.high].toSorted((a, b) => a - b).map(number);
      return `σ ${number(filter.sigma)} · ${low}–${high} %`;
    }
    case 'gradientDirection':
      return t(`operatorName.${filter.operator}`);
    case 'kirsch':
    case 'emboss':
      return t(`directionName.d${filter.direction}`);
    case 'custom': {
      const { width, height } = filter.kernel;
      const rank = kernelRank(filter.kernel);
      return rank === null ? t('stack.kernelSize', { width, height }) : t('stack.rank', { width, height, rank });
    }
    default:
      return assertNever(filter);
  }
}
