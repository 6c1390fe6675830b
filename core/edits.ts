// Every change a person can make to a stack, as a function from a stack to a stack. An id that is not in the stack changes
// nothing; a value outside a parameter's range is moved to its nearest end.

import type { Filter, FilterSettings, KernelFormula, Stack } from './document';
import { ConvolveError } from './errors';
import { repeatOf } from './filterForm';
import { catalogueEntry, type ParameterKey, type ParameterSpec, type ParameterValue } from './filters';
import type { Kernel } from './kernel';
import { isPlainMix, type Mix, plainMix } from './mix';

/** Longest name of a filter, in characters. */
export const maximumNameLength = 200;
/** Most filters in one stack. */
export const maximumStackLength = 64;

function refuseBeyondMaximum(stack: Stack): void {
  if (stack.length >= maximumStackLength)
    throw new ConvolveError({
      code: 'invalidArgument',
      subject: 'stack',
      expected: `at most ${maximumStackLength}`,
      actual: String(stack.length + 1),
    });
}

/** The stack with a filter put in at `index`, at its end unless said. Throws `invalidArgument` when it is full. */
export function addFilter(stack: Stack, filter: Filter, index = stack.length): Stack {
  refuseBeyondMaximum(stack);
  return stack.toSpliced(index, 0, filter);
}

export function removeFilter(stack: Stack, id: string): Stack {
  return stack.filter((filter) => filter.id !== id);
}

/** The filter taken out and put in again so that it ends up at `index` (cut to the stack's ends). */
export function moveFilter(stack: Stack, id: string, index: number): Stack {
  const from = stack.findIndex((filter) => filter.id === id);
  const filter = stack[from];
  if (!filter) return stack;
  const to = Math.max(0, Math.min(stack.length - 1, index));
  return to === from ? stack : stack.toSpliced(from, 1).toSpliced(to, 0, filter);
}

/** The stack with one filter replaced by `change` of it. */
export function changeFilter(stack: Stack, id: string, change: (filter: Filter) => Filter): Stack {
  return stack.map((filter) => (filter.id === id ? change(filter) : filter));
}

export function toggleFilter(stack: Stack, id: string): Stack {
  return changeFilter(stack, id, (filter) => ({ ...filter, enabled: !filter.enabled }));
}

/** A copy under another id, right after the original. Throws `invalidArgument` when the stack is full. */
export function duplicateFilter(stack: Stack, id: string, newId: string): Stack {
  const index = stack.findIndex((filter) => filter.id === id);
  const filter = stack[index];
  if (!filter) return stack;
  return addFilter(stack, { ...filter, id: newId }, index + 1);
}

export function changeSettings(stack: Stack, id: string, settings: Partial<Omit<FilterSettings, 'id'>>): Stack {
  return changeFilter(stack, id, (filter) => ({ ...filter, ...settings }));
}

/** The filter with a part of its mix changed; none is kept where it changes nothing. */
export function setMix(stack: Stack, id: string, change: Partial<Mix>): Stack {
  return changeFilter(stack, id, ({ mix: before = plainMix, ...filter }) => {
    const mix = { ...before, ...change };
    return isPlainMix(mix) ? filter : { ...filter, mix };
  });
}

/** The filter held to a rank, or with null exact again. */
export function setRank(stack: Stack, id: string, rank: number | null): Stack {
  return changeFilter(stack, id, ({ rank: _before, ...exact }) => (rank === null ? exact : { ...exact, rank }));
}

/** The nearest value that a parameter takes. */
export function nearestValue(spec: ParameterSpec, value: ParameterValue): ParameterValue {
  if (spec.kind === 'choice' && spec.options.includes(value)) return value;
  if (typeof value === 'string' || Number.isNaN(value)) return spec.default;
  if (spec.kind === 'choice') {
    const away = (option: ParameterValue) => (typeof option === 'number' ? Math.abs(option - value) : Infinity);
    return spec.options.reduce((best, option) => (away(option) < away(best) ? option : best), spec.default);
  }
  const cut = Math.max(spec.minimum, Math.min(spec.maximum, value));
  return spec.kind === 'integer' ? Math.round(cut) : cut;
}

/** The filter with a parameter set to the nearest value that its kind takes; kinds without that parameter are kept. */
export function withParameter(filter: Filter, key: ParameterKey, value: ParameterValue): Filter {
  const spec = catalogueEntry(filter.kind).parameters.find((parameter) => parameter.key === key);
  if (!spec) return filter;
  // Key and value come from the specification of this very kind, which the type of a union cannot express.
  return { ...filter, [key]: nearestValue(spec, value) } as Filter;
}

export function setParameter(stack: Stack, id: string, key: ParameterKey, value: ParameterValue): Stack {
  return changeFilter(stack, id, (filter) => withParameter(filter, key, value));
}

/** All parameters and settings back to what a new filter has; id, place, on/off and mask are kept. Custom kernels are kept too. */
export function resetFilter(stack: Stack, id: string, start: Filter): Stack {
  return changeFilter(stack, id, (filter) =>
    filter.kind === start.kind && filter.kind !== 'custom'
      ? { ...start, id: filter.id, enabled: filter.enabled, label: filter.label, mask: filter.mask }
      : filter,
  );
}

/** Whether a formula that gave one kernel's weights gives the other's too. */
const hasSameCells = (a: Kernel, b: Kernel) =>
  a.weights === b.weights && a.width === b.width && a.anchorX === b.anchorX && a.anchorY === b.anchorY;

/**
 * The custom filter's kernel replaced by `edit` of it; other kinds are kept. A formula is forgotten with the cells that it
 * gave, unless the new ones come from one too: `formula`.
 */
export function editKernel(
  stack: Stack,
  id: string,
  edit: (kernel: Kernel) => Kernel,
  formula?: KernelFormula | undefined,
): Stack {
  return changeFilter(stack, id, (filter) => {
    if (filter.kind !== 'custom') return filter;
    const { formula: before, ...rest } = filter;
    const kernel = edit(filter.kernel);
    const kept = formula ?? (hasSameCells(kernel, filter.kernel) ? before : undefined);
    return kept === undefined ? { ...rest, kernel } : { ...rest, kernel, formula: kept };
  });
}

function settingsOf(filter: Filter): FilterSettings {
  const { id, enabled, border, size, alpha, light, range, mix, mask } = filter;
  const times = repeatOf(filter);
  return {
    ...{ id, enabled, border, size, alpha, light, range },
    ...(times === 1 ? {} : { repeat: times }),
    ...(mix === undefined ? {} : { mix }),
    ...(mask === undefined ? {} : { mask }),
  };
}

/** The filter under another name; the name of its kind where `name` is ''. */
export function renameFilter(stack: Stack, id: string, name: string): Stack {
  const given = name.trim().slice(0, maximumNameLength);
  return changeFilter(stack, id, (filter) => {
    if (filter.kind === 'custom') return { ...filter, name: given };
    const { label: _label, ...unnamed } = filter;
    return given === '' ? unnamed : { ...unnamed, label: given };
  });
}

/** The filter replaced by a custom one with this kernel; id, place, settings and how often it is applied are kept. */
export function replaceByKernel(stack: Stack, id: string, name: string, kernel: Kernel): Stack {
  return changeFilter(stack, id, (filter) => ({
    ...settingsOf(filter),
    kind: 'custom',
    name,
    kernel,
  }));
}
