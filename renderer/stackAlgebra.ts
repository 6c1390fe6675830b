// Filters of the stack as kernels: two neighbours merged, one repeated, one split into a row and a column or into its separable
// part and the rest, one taken from the picture. Each is one edit of the stack.

import type { Filter, Stack } from '../core/document';
import { replaceByKernel } from '../core/edits';
import { ConvolveError } from '../core/errors';
import { isOneGrid, kernelsOf } from '../core/filterForm';
import { createKernel, type Kernel, resolveDivisor } from '../core/kernel';
import { splitSeparable, subtractFromIdentity } from '../core/kernelAlgebra';
import { isMixed } from '../core/mix';
import { editor, newFilterId } from './editor';
import { type PageState, pageStore, selectedFilter, stackOf } from './store';

/** The selected filter and the next one of the stack that is switched on, where both are. */
export function mergePair(state: PageState): readonly [Filter, Filter] | null {
  const first = selectedFilter(state);
  const stack = stackOf(state);
  const next = first === null ? undefined : stack[stack.indexOf(first) + 1];
  return first === null || next === undefined ? null : [first, next];
}

/** True where the selected filter is one kernel that can be written as a grid. */
export function hasOneKernel(state: PageState): boolean {
  const filter = selectedFilter(state);
  return state.image !== null && filter !== null && isOneGrid(filter);
}

export function canMerge(state: PageState): boolean {
  return state.image !== null && (mergePair(state)?.every(isOneGrid) ?? false);
}

/** Puts one filter in the place of the pair, and selects it. */
export function applyMerge([first, second]: readonly [Filter, Filter], merged: Filter): void {
  const edited = editor.edit((stack) =>
    stack.filter((filter) => filter.id !== second.id).map((filter) => (filter.id === first.id ? merged : filter)),
  );
  if (edited) editor.select(merged.id);
}

/** Puts a filter in the place of the one with its id. */
export function applyRepeat(filter: Filter): void {
  editor.edit((stack) => stack.map((other) => (other.id === filter.id ? filter : other)));
}

/** A filter as two: its row and its column, or its separable part and, switched off after it, what that leaves. */
export interface SplitFilter {
  readonly kind: 'rowAndColumn' | 'partAndRest';
  /** Share of the kernel's energy in the separable part. */
  readonly energy: number;
  readonly filters: readonly [Filter, Filter];
}

/** Names of the two parts, for people. */
export interface SplitNames {
  readonly first: string;
  readonly second: string;
}

/**
 * Splits a filter of one kernel. A separable one becomes its row and then its column; the row's results are kept as they are,
 * also beyond black and white, so that both together give what the filter gave. Any other becomes its separable part; the rest
 * follows it switched off, so that nothing is lost. Sizes, borders and light stay. Throws ConvolveError `unsupported` for a
 * filter that is mixed with its input.
 */
export function splitFilter(filter: Filter, names: (kind: SplitFilter['kind']) => SplitNames): SplitFilter | null {
  if (isMixed(filter))
    throw new ConvolveError({
      code: 'unsupported',
      subject: filter.kind,
      expected: 'full opacity, normal blending of all channels and no mask',
      actual: 'a mix, which two filters after one another cannot share',
    });
  const kernel = kernelsOf(filter)[0];
  if (kernel === undefined) return null;
  const { pair, separable, rest, energy } = splitSeparable(kernel);
  const { enabled, border, size, alpha, light, range } = filter;
  const settings = { enabled, border, size, alpha, light, range };
  const custom = (id: string, name: string, part: Kernel, more: Partial<Filter> = {}): Filter =>
    ({ id, ...settings, kind: 'custom', name, kernel: part, ...more }) as Filter;
  if (rest === null) {
    const { first, second } = names('rowAndColumn');
    const { orientation, anchorX, anchorY, bias } = kernel;
    const row = createKernel(kernel.width, 1, Array.from(pair.row), { orientation, anchorX, anchorY: 0, divisor: 1 });
    const column = createKernel(1, kernel.height, Array.from(pair.column), {
      orientation,
      anchorX: 0,
      anchorY,
      bias,
      divisor: resolveDivisor(kernel).divisor,
    });
    return {
      kind: 'rowAndColumn',
      energy,
      filters: [custom(filter.id, first, row, { range: 'float' }), custom(newFilterId(), second, column)],
    };
  }
  const { first, second } = names('partAndRest');
  return {
    kind: 'partAndRest',
    energy,
    filters: [custom(filter.id, first, separable), custom(newFilterId(), second, rest, { enabled: false })],
  };
}

export function applySplit({ filters: [first, second] }: SplitFilter): void {
  const replace = (stack: Stack): Stack =>
    stack.flatMap((filter) => (filter.id === first.id ? [first, second] : [filter]));
  if (editor.edit(replace)) editor.select(first.id);
}

/** The selected filter becomes the picture minus what it gave: of a blur, the detail. */
export function takeFromPicture(name: string): void {
  const filter = selectedFilter(pageStore.getState());
  const kernel = filter === null ? undefined : kernelsOf(filter)[0];
  if (filter !== null && kernel !== undefined)
    editor.edit((stack) => replaceByKernel(stack, filter.id, name, subtractFromIdentity(kernel)));
}
