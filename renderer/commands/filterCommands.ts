// What is done with the filters of the stack.

import { toggleFilter } from '../../core/edits';
import { catalogue } from '../../core/filters';
import { blendModes } from '../../core/mix';
import { editor } from '../editor';
import {
  canMove,
  duplicateFilterById,
  moveSelected,
  onSelected,
  removeFilterById,
  resetSelected,
} from '../filterActions';
import { blendAction, opacityAction, opacityPercents, selectedMix } from '../mixActions';
import { pageStore } from '../store';
import { type Command, command, hasFilter, hasPicture } from './record';

/** Sees the picture through the selected filter alone, or again through all of them. */
function toggleSolo(): void {
  pageStore.setState(({ soloId, selectedId }) => ({ soloId: soloId === selectedId ? null : selectedId }));
}

/** Puts the cursor into the name of the selected filter. */
function focusName(): void {
  const field = document.querySelector<HTMLInputElement>('[data-testid="filter-name"]');
  field?.focus();
  field?.select();
}

export const filterCommands: readonly Command[] = [
  command('filter.duplicate', 'command.duplicateFilter', onSelected(duplicateFilterById), {
    shortcuts: ['Mod+D'],
    enabled: hasFilter,
  }),
  command('filter.delete', 'command.deleteFilter', onSelected(removeFilterById), {
    shortcuts: ['Delete'],
    yieldsToText: 'always',
    enabled: hasFilter,
  }),
  command('filter.moveUp', 'command.moveFilterUp', () => moveSelected(-1), {
    shortcuts: ['Alt+ArrowUp'],
    enabled: canMove(-1),
  }),
  command('filter.moveDown', 'command.moveFilterDown', () => moveSelected(1), {
    shortcuts: ['Alt+ArrowDown'],
    enabled: canMove(1),
  }),
  command(
    'filter.switch',
    'command.switchFilter',
    onSelected((id) => void editor.edit((stack) => toggleFilter(stack, id))),
    { shortcuts: ['Mod+B'], enabled: hasFilter },
  ),
  command('filter.rename', 'command.renameFilter', focusName, { shortcuts: ['F2'], enabled: hasFilter }),
  command('filter.solo', 'command.soloFilter', toggleSolo, {
    shortcuts: ['Alt+S'],
    enabled: hasFilter,
    checked: (state) => state.soloId !== null && state.soloId === state.selectedId,
  }),
  command('filter.reset', 'command.resetFilter', resetSelected, { enabled: hasFilter }),
];

/** How the selected filter is mixed. */
export const mixCommands: readonly Command[] = [
  ...blendModes.map((blend) =>
    command(`filter.blend.${blend}`, `blend.${blend}`, blendAction(blend), {
      group: 'mix.blend',
      enabled: hasFilter,
      checked: (state) => hasFilter(state) && selectedMix(state).blend === blend,
    }),
  ),
  ...opacityPercents.map((percent) => ({
    ...command(`filter.opacity.${percent}`, '', opacityAction(percent), {
      group: 'mix.opacity',
      enabled: hasFilter,
      checked: (state) => hasFilter(state) && selectedMix(state).opacity === percent / 100,
    }),
    label: { kind: 'text', text: `${percent} %` } as const,
  })),
];

/** One for each filter of the catalogue. */
export const addCommands: readonly Command[] = catalogue.map(({ kind }) => ({
  id: `filter.add.${kind}`,
  label: { kind: 'words', key: 'command.addFilter', filterKey: `filter.${kind}` },
  shortcuts: [],
  yieldsToText: 'never',
  enabled: hasPicture,
  run: () => editor.add(kind),
}));
