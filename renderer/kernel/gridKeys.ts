// Where a key moves the active cell of the kernel grid. Pure.

export interface Cell {
  readonly x: number;
  readonly y: number;
}

/** Keys that move at any time, and those that move only while nothing is being typed into the cell. */
const always: Readonly<Record<string, Cell>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  Enter: { x: 0, y: 1 },
};
const idle: Readonly<Record<string, Cell>> = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 } };

interface Press {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
}

/** The cell a key press leads to, held inside the grid; null where the key does not move. Shift+Enter goes up. */
export function moveByKey(cell: Cell, press: Press, width: number, height: number, typing: boolean): Cell | null {
  const { key } = press;
  const hold = (x: number, y: number): Cell => ({
    x: Math.min(width - 1, Math.max(0, x)),
    y: Math.min(height - 1, Math.max(0, y)),
  });
  if (!typing && key === 'Home') return hold(0, press.ctrlKey ? 0 : cell.y);
  if (!typing && key === 'End') return hold(width - 1, press.ctrlKey ? height - 1 : cell.y);
  const step = always[key] ?? (typing ? undefined : idle[key]);
  if (step === undefined) return null;
  const sign = key === 'Enter' && press.shiftKey ? -1 : 1;
  return hold(cell.x + step.x, cell.y + step.y * sign);
}
