// A canvas for a plot: drawn anew when its data or the theme changes, as sharp as the screen is.

import { type RefObject, useEffect, useRef } from 'react';
import { useTheme } from '../ui/theme';

export interface PlotLayout {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export type DrawPlot = (context: CanvasRenderingContext2D) => void;

export const cssVariable = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Colours of a plot's frame in the present theme. */
export function plotColours() {
  return { background: cssVariable('--field'), text: cssVariable('--text'), line: cssVariable('--line-strong') };
}

/** Draws on a canvas `scale` times as large. */
export function paint(canvas: HTMLCanvasElement, { width, height }: PlotLayout, draw: DrawPlot, scale: number): void {
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(scale, scale);
  draw(context);
}

export function usePlotCanvas(
  layout: PlotLayout,
  draw: DrawPlot,
  data: readonly unknown[],
): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn from this data, in the colours of this theme
  useEffect(() => {
    if (canvas.current !== null) paint(canvas.current, layout, draw, Math.max(1, window.devicePixelRatio));
  }, [...data, theme]);
  return canvas;
}
