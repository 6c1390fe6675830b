// Sliders for the free variables of a formula: their ranges follow from their names. Pure. And examples to begin with.

import type { SliderScale } from '../ui/sliderScale';

const lengths = ['sigma', 'σ', 's', 's1', 's2', 'radius', 'period', 'length', 'width', 'wavelength', 'lambda', 'λ'];
const angles = ['a', 'angle', 'phi', 'φ', 'phase', 'alpha'];

/** The slider of a variable on a grid whose longer side is `size` cells: lengths from 0.1, angles of a full turn, else ±2 sizes. */
export function variableScale(name: string, size: number): SliderScale {
  if (lengths.includes(name))
    return { minimum: 0.1, maximum: Math.max(10, 2 * size), step: 0.1, scale: 'log', whole: false };
  if (angles.includes(name)) return { minimum: -3.15, maximum: 3.15, step: 0.05, scale: 'linear', whole: false };
  const reach = Math.max(10, 2 * size);
  return { minimum: -reach, maximum: reach, step: 0.1, scale: 'linear', whole: false };
}

export const formulaExamples = {
  gaussian: 'exp(-r^2/(2*sigma^2))',
  laplacianOfGaussian: '(r^2/sigma^2 - 2)/sigma^2 * exp(-r^2/(2*sigma^2))',
  gabor: 'exp(-r^2/(2*sigma^2)) * cos(2*pi*(x*cos(a) + y*sin(a))/period)',
  disk: 'r <= radius',
  ring: 'abs(r - radius) < 1',
  sinc: 'sinc(x/period) * sinc(y/period)',
  emboss: 'sign(x + y)',
  slope: '-x/sigma^2 * exp(-r^2/(2*sigma^2))',
} as const;
export type FormulaExample = keyof typeof formulaExamples;
