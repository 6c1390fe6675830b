// The names of shipped kernels for people: by their family, with the size, σ or direction that their id ends in.

import type { Translate } from '../i18n/useWords';

/** Families whose ids end in what to say of them, and how it is said. */
const families: readonly (readonly [RegExp, (end: string, t: Translate) => string])[] = [
  [/^(box|binomial|diagonal|unsharp|highPass)(\d)$/, (end) => `${end}×${end}`],
  [/^(sharpen|laplacian)([48])$/, (end, t) => t('stack.neighbours', { count: Number(end) })],
  [/^(disk)(\d+)$/, (end) => `r ${end}`],
  [/^(gaussian)([\d.]{1,3})$/, (end) => `σ ${end}`],
  [/^(laplacianOfGaussian)([59])$/, (end) => `${end}×${end}`],
  [/^(laplacianOfGaussian)(1\.4)$/, (end) => `σ ${end}`],
  [/^(motion)9at(\d+)$/, (end) => `9 px, ${end}°`],
  [/^(sobel|scharr|prewitt|freiChen)([XY])$/, (end, t) => t(end === 'X' ? 'kernel.gradientX' : 'kernel.gradientY')],
  [/^(roberts3?)(Falling|Rising)$/, (end, t) => t(`preset.diagonal${end}`)],
  [/^(kirsch|robinson|compass|emboss)([0-7])$/, (end, t) => t(`directionName.d${end}`)],
];
/** Widely copied Gaussians go by what they are divided by, and are no σ. */
const byThemselves = ['gaussian273', 'gaussian159'];

/** The words of a preset, such as `Gaussian, σ 2` or `Kirsch, from the left`. */
export function presetName(id: string, t: Translate): string {
  if (!byThemselves.includes(id))
    for (const [pattern, words] of families) {
      const [, family, end] = pattern.exec(id) ?? [];
      if (family !== undefined && end !== undefined)
        return t('preset.detailed', { family: t(`preset.${family}`), detail: words(end, t) });
    }
  return t(`preset.${id}`);
}

/** What else a preset is searched by. */
const otherNames: readonly (readonly [RegExp, 'meanRemoval' | 'mean' | 'gradient' | 'defocus'])[] = [
  [/^sharpen8$/, 'meanRemoval'],
  [/^box/, 'mean'],
  [/^disk/, 'defocus'],
  [/^(sobel|scharr|prewitt|freiChen|roberts|kirsch|robinson|compass)/, 'gradient'],
];

/** Other names of a preset, such as `mean removal` of the 8-neighbour sharpener. */
export function presetTags(id: string, t: Translate): readonly string[] {
  return otherNames.filter(([pattern]) => pattern.test(id)).map(([, name]) => t(`presetTag.${name}`));
}
