// The kinds of shapes of a mask as icons.

import { Brush, Circle, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MaskShapeKind } from '../../core/mask';

/** A square or a disc that fades. */
function FadeIcon({ round }: { readonly round: boolean }) {
  return <span className={round ? 'mask-icon-radial' : 'mask-icon-linear'} />;
}

export const shapeIcons: Readonly<Record<MaskShapeKind, ReactNode>> = {
  rectangle: <Square size={14} aria-hidden="true" />,
  ellipse: <Circle size={14} aria-hidden="true" />,
  linear: <FadeIcon round={false} />,
  radial: <FadeIcon round />,
  brush: <Brush size={14} aria-hidden="true" />,
};
