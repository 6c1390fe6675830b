// The kernel as a grid of weights drawn on a canvas, coloured by sign and size, with the anchor marked. One cell is active: it
// is a real text field, so that keys, screen readers and pasting work as everywhere. Page Up, Page Down and the wheel over the
// active cell nudge its weight.

import {
  type ClipboardEvent,
  type KeyboardEvent,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import type { Kernel } from '../../core/kernel';
import { type CellPlace, nudged, nudgeStep } from '../../core/kernelPainting';
import { hasSymmetry, setSymmetrically, symmetrise } from '../../core/kernelSymmetry';
import { parseNumber } from '../../core/numbers';
import { useWords } from '../i18n/useWords';
import { formatNumber } from '../ui/numberText';
import { GridReading } from './GridReading';
import { cellBox, gridGeometry, shownView } from './gridGeometry';
import { readGridKey } from './gridKeys';
import { GridStroke } from './gridStroke';
import { gridTools, useGridTools } from './gridTools';
import { HeatLegend } from './HeatLegend';
import { KernelLoupe } from './KernelLoupe';
import './kernelGrid.css';
import { useGridCanvas } from './useGridCanvas';
import { useGridPointer } from './useGridPointer';
import { useNudging } from './useNudging';
import { useWidth } from './useWidth';

/** What the grid tells of edits. */
export interface GridEditing {
  /** Answers whether the kernel was taken. */
  readonly change: (kernel: Kernel) => boolean;
  readonly gesture: (phase: 'begin' | 'end' | 'cancel') => void;
  /** Takes a pasted text of several numbers; answers whether it was one. */
  readonly paste: (text: string) => boolean;
}

interface KernelGridProps {
  readonly kernel: Kernel;
  /** Without it the grid only shows. */
  readonly editing?: GridEditing;
}

interface Typing {
  readonly cell: CellPlace;
  readonly text: string;
  readonly refused: boolean;
}

const noEdit: GridEditing = { change: () => false, gesture: () => {}, paste: () => false };

export function KernelGrid({ kernel, editing }: KernelGridProps) {
  const { t } = useWords();
  const view = useGridTools((tools) => tools.view);
  const room = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const [roomWidth, setRoomWidth] = useState(0);
  useWidth(room, setRoomWidth);
  const [chosen, setChosen] = useState<CellPlace>({ x: kernel.anchorX, y: kernel.anchorY });
  const [focused, setFocused] = useState(false);
  const [typing, showTyping] = useState<Typing | null>(null);
  // Also kept outside React: Enter takes the text, and the blur that follows at once must find it taken.
  const typed = useRef<Typing | null>(null);
  const setTyping = useCallback((next: Typing | null) => {
    typed.current = next;
    showTyping(next);
  }, []);
  const { width, height, weights } = kernel;
  const readOnly = editing === undefined;
  const { gesture, paste, ...edits } = editing ?? noEdit;
  const active: CellPlace = { x: Math.min(chosen.x, width - 1), y: Math.min(chosen.y, height - 1) };
  const geometry = useMemo(() => gridGeometry(width, height, roomWidth || 340, view), [width, height, roomWidth, view]);
  const whole = shownView(width, height, view) === 'whole';
  const latest = useRef({ kernel, active });
  latest.current = { kernel, active };
  const change = (next: Kernel): boolean => {
    if (!edits.change(next)) return false;
    // What comes before the grid is drawn anew, such as a stroke in the same press, begins with it.
    latest.current = { ...latest.current, kernel: next };
    return true;
  };

  const drawing = useGridCanvas({ canvas, kernel, geometry, roomWidth, framesCell: whole });
  const [, drawAnew] = useReducer((count: number) => count + 1, 0);

  /** Scrolls the grid, and nothing else, so far that a cell is in sight. */
  const reveal = useCallback(
    (cell: CellPlace) => {
      const box = cellBox(geometry, cell);
      const view = scroller.current;
      if (view === null) return;
      view.scrollLeft = Math.min(box.left, Math.max(view.scrollLeft, box.left + box.width - view.clientWidth));
      view.scrollTop = Math.min(box.top, Math.max(view.scrollTop, box.top + box.height - view.clientHeight));
    },
    [geometry],
  );
  const wantsFocus = useRef(false);
  const choose = (cell: CellPlace) => {
    if (!take()) setTyping(null);
    wantsFocus.current = true;
    setChosen({ ...cell });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each choice of a cell, also of the same, focuses it
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    reveal(chosen);
    input.current?.focus({ preventScroll: true });
    input.current?.select();
  }, [chosen]);

  const setCell = ({ x, y }: CellPlace, weight: number) => {
    const { symmetry } = gridTools.getState();
    const now = latest.current.kernel;
    const even = symmetry === null || hasSymmetry(now, symmetry) ? now : symmetrise(now, symmetry);
    change(setSymmetrically(even, symmetry, x, y, weight));
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
    if (value !== weights[y * width + x]) setCell(now.cell, value);
    return true;
  };

  const nudging = useNudging({
    surface,
    input,
    geometry,
    readOnly,
    active: () => latest.current.active,
    gesture,
    change: (count, fine) => {
      const { kernel: now, active: at } = latest.current;
      const weight = now.weights[at.y * now.width + at.x] ?? 0;
      setCell(at, nudged(weight, count, nudgeStep(now.weights) / (fine ? 10 : 1)));
    },
  });
  const paintHere = () => {
    const { brush, symmetry } = gridTools.getState();
    change(new GridStroke('paint', kernel, active, brush, symmetry).goThrough([active]));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.altKey || event.metaKey) return;
    if (event.key === 'Escape' && typing !== null) {
      event.stopPropagation();
      setTyping(null);
      return;
    }
    const key = readGridKey(active, event, width, height, typing !== null);
    if (key === null || (readOnly && key.kind !== 'move')) return;
    event.preventDefault();
    if (!take()) return;
    if (key.kind === 'move') choose(key.to);
    else if (key.kind === 'nudge') nudging.nudge(key.count, key.fine);
    else if (key.kind === 'clear') setCell(active, 0);
    else paintHere();
  };
  const onPasteText = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (readOnly || parseNumber(text) !== null) return;
    event.preventDefault();
    if (paste(text)) setTyping(null);
  };
  const pointer = useGridPointer({
    kernel: () => latest.current.kernel,
    geometry,
    readOnly,
    choose,
    hover: (cell) => {
      if (drawing.hover(cell)) drawAnew();
    },
    gesture: (phase) => {
      // Nudges just before are a step of their own, whose pause would end the stroke's.
      if (phase === 'begin') nudging.stop();
      gesture(phase);
      if (phase === 'begin') return;
      drawing.rest();
      drawAnew();
    },
    change: (next) => {
      if (change(next)) drawing.paint(next);
    },
  });
  // What is typed belongs to the kernel it was typed into; another size begins at the anchor again.
  const size = useRef({ width, height });
  if (size.current.width !== width || size.current.height !== height) {
    size.current = { width, height };
    setTyping(null);
    setChosen({ x: kernel.anchorX, y: kernel.anchorY });
  }

  const isAnchor = active.x === kernel.anchorX && active.y === kernel.anchorY;
  const activeWeight = weights[active.y * width + active.x] ?? 0;
  const box = cellBox(geometry, active);
  return (
    <div ref={room} className="kernel-grid-room">
      <div
        ref={scroller}
        className="kernel-grid-scroll"
        style={{
          height: geometry.visibleHeight + (geometry.width > roomWidth + 1 ? 10 : 0),
          width: Math.min(geometry.width, roomWidth || geometry.width),
        }}
        onScroll={({ currentTarget: { scrollLeft, scrollTop } }) => drawing.scroll(scrollLeft, scrollTop)}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: a drawn table; its active cell stands for all */}
        <div
          ref={surface}
          role="grid"
          aria-label={t('kernel.grid')}
          aria-rowcount={height}
          aria-colcount={width}
          aria-readonly={readOnly}
          aria-describedby={readOnly ? undefined : hintId}
          className="kernel-grid"
          style={{ width: geometry.width, height: geometry.height }}
          data-testid="kernel-grid"
          data-columns={width}
          data-rows={height}
          {...pointer}
        >
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabIndex has no focus */}
          <canvas
            ref={canvas}
            className="kernel-grid-canvas"
            style={{ width: Math.min(geometry.width, roomWidth), height: geometry.visibleHeight }}
            aria-hidden="true"
          />
          {/* biome-ignore lint/a11y/useSemanticElements: see above */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: the field in its cell has the focus */}
          <div role="row" aria-rowindex={active.y + 1}>
            {/* biome-ignore lint/a11y/useSemanticElements: see above */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: see above */}
            <div
              role="gridcell"
              aria-colindex={active.x + 1}
              className="kernel-grid-cell"
              style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
            >
              <input
                // A new field for each cell, so that screen readers say where the focus went.
                key={`${active.x},${active.y}`}
                ref={input}
                type="text"
                inputMode="decimal"
                spellCheck={false}
                autoComplete="off"
                readOnly={readOnly}
                data-typing={typing !== null || undefined}
                data-settled={typing === null}
                aria-label={t(isAnchor ? 'kernel.anchorCell' : 'kernel.cell', {
                  row: active.y + 1,
                  column: active.x + 1,
                })}
                aria-invalid={typing?.refused ?? false}
                value={typing === null ? formatNumber(activeWeight, 12) : typing.text}
                // Typing the very number that stands there is typing too, though nothing changes: Tab then goes to the next cell.
                onBeforeInput={({ currentTarget: { value: text } }) => {
                  if (typing === null) setTyping({ cell: active, text, refused: false });
                }}
                onChange={(event) => setTyping({ cell: active, text: event.target.value, refused: false })}
                onFocus={(event) => {
                  setFocused(true);
                  event.target.select();
                }}
                onBlur={() => {
                  setFocused(false);
                  nudging.stop();
                  if (!take()) setTyping(null);
                }}
                onKeyDown={onKeyDown}
                onPaste={onPasteText}
              />
            </div>
          </div>
        </div>
      </div>
      <span id={hintId} hidden>
        {t('grid.hint')}
      </span>
      {whole && <KernelLoupe kernel={kernel} cell={drawing.hovered ?? active} />}
      <GridReading
        kernel={kernel}
        cell={drawing.hovered ?? active}
        showsCell={drawing.hovered !== null || focused || whole}
      />
      <HeatLegend weights={weights} />
    </div>
  );
}
