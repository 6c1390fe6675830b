// A kernel as a small picture: one square of colour for each weight.

import { useEffect, useRef } from 'react';
import { useTheme } from '../ui/theme';
import { pictureColour, signedPeaks } from './heat';
import './kernelPicture.css';

interface KernelPictureProps {
  readonly width: number;
  readonly height: number;
  readonly weights: ArrayLike<number>;
  /** Said to screen readers; without it the picture is decoration. */
  readonly label?: string;
  readonly className?: string;
}

export function KernelPicture({ width, height, weights, label, className = '' }: KernelPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const peaks = signedPeaks(weights);
    const image = new ImageData(width, height);
    for (let index = 0; index < width * height; index++) {
      const [r, g, b] = pictureColour(weights[index] ?? 0, peaks, theme);
      image.data.set([r, g, b, 255], index * 4);
    }
    context.putImageData(image, 0, 0);
  }, [width, height, weights, theme]);
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      className={`kernel-picture ${className}`}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined}
    />
  );
}
