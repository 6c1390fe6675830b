// The kernel as a grid of typed cells, coloured by sign and size, with the anchor marked. Arrows move, Enter goes down,
// Ctrl+click puts the anchor, a pasted block of numbers becomes the kernel.

import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Kernel } from '../../core/kernel';
import { parseNumber } from '../../core/numbers';
import { useWords } from '../i18n/useWords';
import { isMac } from '../keys';
import { formatCell, formatNumber } from '../ui/numberText';
import { useTheme } from '../ui/theme';
import { type Cell, moveByKey } from './gridKeys';
import { cssColour, heatColour, peakOf, textOn } from './heat';
import './kernelGrid.css';

interface KernelGridProps {
  readonly kernel: Kernel;
  /** Without it the grid only shows. */
  readonly onCell?: (x: number, y: number, weight: number) => void;
  readonly onAnchor?: (x: number, y: number) => void;
  /** Takes a pasted text of several numbers; answers whether it was one. */
  readonly onPaste?: (text: string) => boolean;
}

interface Typing {
  readonly cell: Cell;
  readonly text: string;
  readonly refused: boolean;
}

export function KernelGrid({ kernel, onCell, onAnchor, onPaste }: KernelGridProps) {
  const { t } = useWords();
  const theme = useTheme();
  const grid = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState<Cell>({ x: kernel.anchorX, y: kernel.anchorY });
  const [typing, showTyping] = useState<Typing | null>(null);
  // Also kept outside React: Enter takes the text, and the blur that follows at once must find it taken.
  const typed = useRef<Typing | null>(null);
  const setTyping = useCallback((next: Typing | null) => {
    typed.current = next;
    showTyping(next);
  }, []);
  const { width, height, weights } = kernel;
  const readOnly = onCell === undefined;
  const peak = peakOf(weights);
  const held: Cell = { x: Math.min(active.x, width - 1), y: Math.min(active.y, height - 1) };

  const inputAt = (cell: Cell) =>
    grid.current?.querySelector<HTMLInputElement>(`[data-cell="${cell.x},${cell.y}"]`) ?? null;
  const go = (cell: Cell) => {
    setActive(cell);
    const input = inputAt(cell);
    input?.focus();
    input?.select();
  };
  /** Takes what was typed; false where it is no number. */
  const take = (): boolean => {
    const now = typed.current;
    if (now === null) return true;
    const value = parseNumber(now.text);
    if (value === null) {
      setTyping({ ...now, refused: true });
      return false;
    }
    setTyping(null);
    const { x, y } = now.cell;
    if (value !== weights[y * width + x]) onCell?.(x, y, value);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, cell: Cell) => {
    if (event.altKey || event.metaKey) return;
    if (event.key === 'Escape' && typing !== null) {
      event.stopPropagation();
      setTyping(null);
      return;
    }
    const next = moveByKey(cell, event, width, height, typing !== null);
    if (next === null) return;
    event.preventDefault();
    if (take()) go(next);
  };
  const onPasteText = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (onPaste === undefined || parseNumber(text) !== null) return;
    event.preventDefault();
    if (onPaste(text)) setTyping(null);
  };
  const onMouseDown = (event: MouseEvent<HTMLInputElement>, cell: Cell) => {
    const anchoring = isMac ? event.metaKey : event.ctrlKey;
    if (!anchoring || onAnchor === undefined) return;
    event.preventDefault();
    onAnchor(cell.x, cell.y);
  };
  // What is typed belongs to the kernel it was typed into.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the kernel's size forgets it
  useEffect(() => setTyping(null), [width, height, setTyping]);

  return (
    <table
      ref={grid}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are typed is a grid
      role="grid"
      aria-label={t('kernel.grid')}
      aria-rowcount={height}
      aria-colcount={width}
      aria-readonly={readOnly}
      className="kernel-grid"
      data-density={width <= 5 ? 'wide' : width <= 7 ? 'medium' : width <= 9 ? 'middle' : 'narrow'}
      data-testid="kernel-grid"
    >
      <tbody>
        {Array.from({ length: height }, (_, y) => (
          // Rows and columns are positions: their numbers are their identities.
          // biome-ignore lint/suspicious/noArrayIndexKey: positions never move
          <tr key={y} className="kernel-row">
            {Array.from({ length: width }, (_, x) => {
              const weight = weights[y * width + x] ?? 0;
              const isAnchor = x === kernel.anchorX && y === kernel.anchorY;
              const isTyped = typing !== null && typing.cell.x === x && typing.cell.y === y;
              const fill = heatColour(weight, peak, theme);
              const place = { row: y + 1, column: x + 1 };
              return (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: positions never move
                  key={x}
                  className={isAnchor ? 'kernel-cell kernel-cell-anchor' : 'kernel-cell'}
                  aria-colindex={x + 1}
                >
                  <input
                    type="text"
                    inputMode="decimal"
                    spellCheck={false}
                    autoComplete="off"
                    readOnly={readOnly}
                    data-cell={`${x},${y}`}
                    data-typing={isTyped || undefined}
                    data-settled={!isTyped}
                    tabIndex={x === held.x && y === held.y ? 0 : -1}
                    aria-label={t(isAnchor ? 'kernel.anchorCell' : 'kernel.cell', place)}
                    aria-invalid={isTyped && typing.refused}
                    title={formatNumber(weight, 12)}
                    value={isTyped ? typing.text : formatCell(weight, width)}
                    style={isTyped ? undefined : { backgroundColor: cssColour(fill), color: cssColour(textOn(fill)) }}
                    onChange={(event) => setTyping({ cell: { x, y }, text: event.target.value, refused: false })}
                    onFocus={(event) => {
                      setActive({ x, y });
                      event.target.select();
                    }}
                    onBlur={() => {
                      if (!take()) setTyping(null);
                    }}
                    onMouseDown={(event) => onMouseDown(event, { x, y })}
                    onKeyDown={(event) => onKeyDown(event, { x, y })}
                    onPaste={onPasteText}
                  />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
