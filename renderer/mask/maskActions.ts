// What a person does with the mask of the selected filter. Each is one edit of the stack.

import type { Filter } from '../../core/document';
import { type LuminanceRange, type Mask, type MaskGeometry, type MaskShapeKind, wholeMask } from '../../core/mask';
import { addShape, brushLimits, changeMask, removeShape, setMask } from '../../core/maskEdits';
import { editor } from '../editor';
import { type PageState, pageStore, selectedFilter } from '../store';
import { maskDesk } from './maskDesk';

export const hasMask = (state: PageState): boolean => state.image !== null && selectedFilter(state)?.mask !== undefined;

/** The mask of the selected filter; that of the whole picture where it has none. */
export function maskToEdit(): { readonly filter: Filter; readonly mask: Mask } | null {
  const state = pageStore.getState();
  const filter = selectedFilter(state);
  if (filter === null || state.image === null) return null;
  return { filter, mask: filter.mask ?? wholeMask(state.image) };
}

/** Changes the mask of the selected filter; a filter without one gets one. */
export function editMask(change: (mask: Mask) => Mask): boolean {
  const now = maskToEdit();
  if (now === null) return false;
  return editor.edit((stack) => setMask(stack, now.filter.id, change(now.mask)));
}

/** Puts a shape into the mask of the selected filter and takes it in hand. */
export function putShape(geometry: MaskGeometry): boolean {
  const now = maskToEdit();
  if (now === null) return false;
  const put = editMask((mask) => addShape(mask, { combine: 'add', ...geometry }));
  if (put) maskDesk.setState({ shape: { filterId: now.filter.id, index: now.mask.shapes.length } });
  return put;
}

/** Takes a tool in hand, or puts it away where it is there already. */
export function chooseTool(tool: MaskShapeKind): void {
  maskDesk.setState((desk) => ({ tool: desk.tool === tool ? null : tool }));
}

/** Share of the picture that a shape takes which is put in its middle. */
const standardShare = 0.5;

/** Puts a shape of the tool in hand into the middle of the picture: the way without a pointer. */
export function putInMiddle(): void {
  const { tool, brush } = maskDesk.getState();
  const { image } = pageStore.getState();
  if (tool === null || image === null) return;
  const [x, y] = [image.width / 2, image.height / 2];
  const side = Math.round(Math.min(image.width, image.height) * standardShare);
  const box = { x, y, width: side, height: side, angle: 0 };
  const geometry: Readonly<Record<MaskShapeKind, MaskGeometry>> = {
    rectangle: { kind: 'rectangle', ...box },
    ellipse: { kind: 'ellipse', ...box },
    radial: { kind: 'radial', ...box, inner: 0.5 },
    linear: { kind: 'linear', fromX: x, fromY: y - side / 2, toX: x, toY: y + side / 2 },
    brush: { kind: 'brush', strokes: [{ ...brush, erases: false, points: [x, y] }] },
  };
  if (putShape(geometry[tool]) && tool !== 'brush') maskDesk.setState({ tool: null });
}

/** What a new range of brightness keeps: the brighter half. */
const standardRange: LuminanceRange = { low: 0.5, high: 1, softness: 0.1 };

export function toggleLuminance(): void {
  editMask(({ luminance, ...mask }) => (luminance === undefined ? { ...mask, luminance: standardRange } : mask));
}

export function toggleInverted(): void {
  editMask((mask) => ({ ...mask, inverted: !mask.inverted }));
}

export function toggleOverlay(): void {
  maskDesk.setState(({ overlay }) => ({ overlay: !overlay }));
}

export function removeMask(): void {
  const { selectedId } = pageStore.getState();
  if (selectedId === null) return;
  maskDesk.setState({ tool: null, shape: null });
  editor.edit((stack) => setMask(stack, selectedId, null));
}

export function removeShapeAt(index: number): void {
  const { selectedId } = pageStore.getState();
  if (selectedId === null) return;
  maskDesk.setState({ shape: null });
  editor.edit((stack) => changeMask(stack, selectedId, (mask) => removeShape(mask, index)));
}

export function copyMask(): void {
  const mask = selectedFilter(pageStore.getState())?.mask;
  if (mask !== undefined) maskDesk.setState({ copied: mask });
}

/** Gives the copied mask to the selected filter. */
export function pasteMask(): void {
  const { copied } = maskDesk.getState();
  if (copied !== null) editMask(() => copied);
}

/** Whether there is a mask to give that was made on a picture of this size. */
export function canPasteMask({ image, selectedId }: PageState): boolean {
  const { copied } = maskDesk.getState();
  return image !== null && selectedId !== null && copied?.width === image.width && copied.height === image.height;
}

/** How much larger or smaller one step makes the brush. */
export const brushStep = 1.1;

/** A brush so many times as large, in whole pixels, and at least one more or less. */
export function scaleBrush(factor: number): void {
  maskDesk.setState(({ brush }) => {
    const { minimum, maximum } = brushLimits.size;
    const scaled = factor > 1 ? Math.ceil(brush.size * factor) : Math.floor(brush.size * factor);
    return { brush: { ...brush, size: Math.min(maximum, Math.max(minimum, scaled)) } };
  });
}
