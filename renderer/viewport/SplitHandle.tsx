// The handle between original and result: dragged, or moved by the arrow keys.

import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { SplitDirection } from './compare';

interface SplitHandleProps {
  readonly label: string;
  readonly direction: SplitDirection;
  /** Share of the viewport's width from the left, or of its height from the top, 0…1. */
  readonly value: number;
  readonly onChange: (value: number) => void;
}

const step = 0.01;
const largeStep = 0.1;

export function SplitHandle({ label, value, direction, onChange }: SplitHandleProps) {
  const line = useRef<HTMLDivElement>(null);
  const dragging = useRef(false);
  const hold = (share: number) => Math.min(1, Math.max(0, share));
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const room = line.current?.parentElement?.getBoundingClientRect();
    if (!dragging.current || room === undefined) return;
    const share =
      direction === 'vertical' ? (event.clientX - room.left) / room.width : (event.clientY - room.top) / room.height;
    onChange(hold(share));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const size = event.shiftKey ? largeStep : step;
    const next: Readonly<Record<string, number>> = {
      ArrowLeft: value - size,
      ArrowDown: direction === 'vertical' ? value - size : value + size,
      ArrowRight: value + size,
      ArrowUp: direction === 'vertical' ? value + size : value - size,
      PageUp: value + largeStep,
      PageDown: value - largeStep,
      Home: 0,
      End: 1,
    };
    const to = next[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onChange(hold(to));
  };
  const end = () => {
    dragging.current = false;
  };
  return (
    <div
      ref={line}
      className={direction === 'vertical' ? 'split' : 'split split-horizontal'}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation={direction === 'vertical' ? 'horizontal' : 'vertical'}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(value * 100)}
      data-testid="split-handle"
      style={{ [direction === 'vertical' ? 'left' : 'top']: `${value * 100}%` }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        dragging.current = true;
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => onChange(0.5)}
      onKeyDown={onKeyDown}
    >
      <span className="split-line" />
      <span className="split-grip" />
    </div>
  );
}
