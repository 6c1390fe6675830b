// What changed from one stack to the next, as data, so that steps of the history can be named without being recorded.

import type { Filter, Stack } from './document';
import { catalogueEntry, type ParameterKey, type ParameterValue, parameterValue } from './filters';

export type StepName =
  | {
      readonly kind: 'added' | 'removed' | 'moved' | 'on' | 'off' | 'renamed' | 'kernel' | 'mask';
      readonly filter: Filter;
    }
  | {
      readonly kind: 'parameter';
      readonly filter: Filter;
      readonly key: ParameterKey;
      readonly from: ParameterValue;
      readonly to: ParameterValue;
    }
  | { readonly kind: 'settings'; readonly filter: Filter }
  /** More than one filter changed at once. */
  | { readonly kind: 'several' };

/** What changed of one filter. */
function changeOf(before: Filter, after: Filter): StepName {
  if (before.enabled !== after.enabled) return { kind: after.enabled ? 'on' : 'off', filter: after };
  if (before.kind !== after.kind) return { kind: 'kernel', filter: after };
  if (before.mask !== after.mask) return { kind: 'mask', filter: after };
  for (const { key, default: usual } of catalogueEntry(after.kind).parameters) {
    const [from, to] = [parameterValue(before, key) ?? usual, parameterValue(after, key) ?? usual];
    if (from !== to) return { kind: 'parameter', filter: after, key, from, to };
  }
  if (before.kind === 'custom' && after.kind === 'custom') {
    if (before.kernel !== after.kernel) return { kind: 'kernel', filter: after };
    if (before.name !== after.name) return { kind: 'renamed', filter: after };
  }
  return { kind: before.label === after.label ? 'settings' : 'renamed', filter: after };
}

/** The name of the step from a stack to the one after it. Filters are known by their ids. */
export function stepName(before: Stack, after: Stack): StepName {
  const old = new Map(before.map((filter) => [filter.id, filter]));
  const now = new Set(after.map(({ id }) => id));
  const added = after.filter(({ id }) => !old.has(id));
  const removed = before.filter(({ id }) => !now.has(id));
  const changed = after.filter((filter) => old.has(filter.id) && old.get(filter.id) !== filter);
  const [filter] = [...added, ...removed, ...changed];
  if (filter === undefined) {
    // Of two neighbours that changed places, the one that went down is named by where it is found first.
    const moved = after.find((one, place) => before[place]?.id !== one.id);
    return moved === undefined ? { kind: 'several' } : { kind: 'moved', filter: moved };
  }
  if (added.length + removed.length + changed.length > 1) return { kind: 'several' };
  if (added.length === 1) return { kind: 'added', filter };
  if (removed.length === 1) return { kind: 'removed', filter };
  return changeOf(old.get(filter.id) ?? filter, filter);
}
