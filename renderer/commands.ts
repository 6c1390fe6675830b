// Every action of the page as one record: id, label, shortcuts, whether it can run now, and what it does. Menus, keys, the
// palette and buttons all run these.

import { toggleFilter } from '../core/edits';
import { catalogue } from '../core/filters';
import { canRedo, canUndo } from '../core/history';
import { type RecentFile, type Settings, valueFormats } from '../core/ipc';
import { kernelOperationNames } from '../core/kernelOperations';
import { maskShapeKinds } from '../core/mask';
import { blendModes } from '../core/mix';
import { changeSettings, openDialog, openRecent, openSample, paste } from './actions';
import { withKeys } from './commandKeys';
import { closeDocument, saveDocument, stepTab } from './documentActions';
import { togglePin } from './explainActions';
import {
  canMove,
  duplicateFilterById,
  moveSelected,
  onSelected,
  removeFilterById,
  resetSelected,
} from './filterActions';
import { histogramDesk } from './histogramActions';
import { translation } from './i18n/translation';
import type { Translate } from './i18n/useWords';
import { openAdjustment, openAlgebra, toggleFormula } from './kernel/kernelDesk';
import { canEditAsKernel, editAsKernel, openKernelPicture, operateOnKernel } from './kernelActions';
import { exportKernels, importKernels, openSaveDialog } from './library/library';
import {
  brushStep,
  canPasteMask,
  chooseTool,
  copyMask,
  hasMask,
  pasteMask,
  removeMask,
  scaleBrush,
  toggleInverted,
  toggleLuminance,
  toggleOverlay,
} from './mask/maskActions';
import { maskDesk } from './mask/maskDesk';
import { blendAction, opacityAction, opacityPercents, selectedMix } from './mixActions';
import { filterName } from './panels/filterWords';
import { recentName, recentPlace } from './recentPlace';
import { canMerge, hasOneKernel, takeFromPicture } from './stackAlgebra';
import { type DialogName, editor, isUnsaved, type PageState, pageStore, seenStack, selectedFilter } from './store';
import type { CompareMode } from './viewport/compare';
import { currentViewport } from './viewport/current';
import { canBeSigned } from './viewport/subject';

/** Words of the catalogue by key, or a text that is no word of it, such as a file name. */
export type CommandLabel =
  | { readonly kind: 'words'; readonly key: string; readonly filterKey?: string }
  | { readonly kind: 'text'; readonly text: string };

export interface Command {
  readonly id: string;
  readonly label: CommandLabel;
  /** Words of the submenu it stands in, where its label alone would not say enough. */
  readonly group?: string;
  /** Key combinations as in shortcuts.ts; the first is the one that menus show. */
  readonly shortcuts: readonly string[];
  /**
   * Whether the shortcut is left to a text field that has the focus. always: it edits text (paste, Delete). whileTyping:
   * only while something typed has not been taken over yet (undo, redo).
   */
  readonly yieldsToText: 'never' | 'whileTyping' | 'always';
  readonly enabled: (state: PageState) => boolean;
  /** For commands that choose one of several: whether it is the chosen one. */
  readonly checked?: (state: PageState) => boolean;
  readonly run: () => void;
}

const always = () => true;
const hasPicture = (state: PageState) => state.image !== null;
const hasFilter = (state: PageState) => state.image !== null && selectedFilter(state) !== null;

interface CommandOptions {
  readonly shortcuts?: readonly string[];
  readonly enabled?: (state: PageState) => boolean;
  readonly checked?: (state: PageState) => boolean;
  readonly yieldsToText?: Command['yieldsToText'];
  readonly group?: string;
}

function command(id: string, key: string, run: () => void, options: CommandOptions = {}): Command {
  const { shortcuts = [], enabled = always, yieldsToText = 'never', checked, group } = options;
  return {
    id,
    label: { kind: 'words', key },
    shortcuts,
    enabled,
    yieldsToText,
    run,
    ...(checked === undefined ? {} : { checked }),
    ...(group === undefined ? {} : { group }),
  };
}

const show = (dialog: DialogName) => () => pageStore.setState({ dialog });

function compareCommand(mode: CompareMode, key: string, shortcut: string): Command {
  return command(`view.${mode}`, key, () => pageStore.setState({ compare: mode }), {
    shortcuts: [shortcut],
    enabled: hasPicture,
    checked: (state) => state.compare === mode,
  });
}

function themeCommand(theme: Settings['theme'], key: string): Command {
  return command(`view.theme.${theme}`, key, () => void changeSettings({ theme }), {
    group: 'command.theme',
    checked: (state) => state.application?.settings.theme === theme,
  });
}

const isCustom = (state: PageState) => state.image !== null && selectedFilter(state)?.kind === 'custom';

function subtractSelected(): void {
  const filter = selectedFilter(pageStore.getState());
  const t = translation.t as unknown as Translate;
  if (filter !== null) takeFromPicture(t('algebra.subtractedName', { name: filterName(filter, t) }).slice(0, 200));
}

/** While its key is held down, it shows the original. */
export const peekCommand = 'view.peek';
/** Held down, it explains the pixel under the pointer. */
export const explainKey = 'Alt';
/** Most that a difference is amplified. */
const largestGain = 64;

function amplify(factor: number): void {
  pageStore.setState(({ differenceGain }) => ({
    differenceGain: Math.min(largestGain, Math.max(1, differenceGain * factor)),
  }));
}

function turnSplit(): void {
  pageStore.setState(({ splitDirection }) => ({
    splitDirection: splitDirection === 'vertical' ? 'horizontal' : 'vertical',
  }));
}

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

/** The commands that do not depend on what main offers. */
const fixedCommands: readonly Command[] = [
  command('file.open', 'command.open', () => void openDialog(), { shortcuts: ['Mod+O'] }),
  command('file.paste', 'command.paste', () => void paste(), { shortcuts: ['Mod+V'], yieldsToText: 'always' }),
  command('file.export', 'command.export', show('export'), {
    shortcuts: ['Mod+Shift+E', 'Mod+E'],
    enabled: (state) => hasPicture(state) && state.exporting === null,
  }),
  command('file.save', 'command.save', () => void saveDocument('save'), {
    shortcuts: ['Mod+S'],
    enabled: (state) => hasPicture(state) && (isUnsaved(state) || state.project === null),
  }),
  command('file.saveAs', 'command.saveAs', () => void saveDocument('saveAs'), {
    shortcuts: ['Mod+Shift+S'],
    enabled: hasPicture,
  }),
  command('file.saveEmbedded', 'command.saveEmbedded', () => void saveDocument('saveEmbedded'), {
    enabled: hasPicture,
  }),
  command('view.nextTab', 'command.nextTab', () => stepTab(1), {
    shortcuts: ['Mod+PageDown'],
    enabled: (state) => state.tabs.length > 1,
  }),
  command('view.previousTab', 'command.previousTab', () => stepTab(-1), {
    shortcuts: ['Mod+PageUp'],
    enabled: (state) => state.tabs.length > 1,
  }),
  command('file.settings', 'command.settings', show('settings'), { shortcuts: ['Mod+,'] }),
  command('file.close', 'command.close', closeDocument, { shortcuts: ['Mod+W'], enabled: hasPicture }),
  command('file.page', 'command.page', show('pages'), { enabled: (state) => (state.image?.pages ?? 1) > 1 }),
  command('file.batch', 'command.batch', show('batch'), { enabled: hasPicture }),
  command('edit.undo', 'command.undo', editor.undo, {
    shortcuts: ['Mod+Z'],
    yieldsToText: 'whileTyping',
    enabled: (state) => hasPicture(state) && canUndo(state.history),
  }),
  command('edit.redo', 'command.redo', editor.redo, {
    shortcuts: ['Mod+Shift+Z', 'Mod+Y'],
    yieldsToText: 'whileTyping',
    enabled: (state) => hasPicture(state) && canRedo(state.history),
  }),
  command('edit.palette', 'command.palette', show('palette'), { shortcuts: ['Mod+K'] }),
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
  command(
    'kernel.editAs',
    'command.editAsKernel',
    () => {
      const filter = selectedFilter(pageStore.getState());
      if (filter !== null) editAsKernel(translation.t(`filter.${filter.kind}`));
    },
    { enabled: (state) => hasFilter(state) && canEditAsKernel(selectedFilter(state)) },
  ),
  command('kernel.paste', 'command.pasteKernel', show('pasteKernel'), {
    shortcuts: ['Mod+Shift+V'],
    enabled: hasPicture,
  }),
  ...kernelOperationNames.map((name) =>
    command(`kernel.${name}`, `operation.${name}`, () => operateOnKernel(name), { enabled: isCustom }),
  ),
  command('kernel.rotate', 'operation.rotate', () => openAdjustment('rotate'), { enabled: isCustom }),
  command('kernel.blend', 'operation.blend', () => openAdjustment('blend'), { enabled: isCustom }),
  command('kernel.formula', 'operation.formula', toggleFormula, { enabled: isCustom }),
  command('kernel.picture', 'operation.picture', () => void openKernelPicture(), { enabled: isCustom }),
  command('kernel.save', 'library.saveCommand', () => openSaveDialog(null), { enabled: isCustom }),
  command('kernel.import', 'library.importCommand', () => void importKernels()),
  command('kernel.export', 'library.exportCommand', () => void exportKernels(null)),
  command('filter.merge', 'algebra.mergeCommand', () => openAlgebra('merge'), { enabled: canMerge }),
  command('filter.repeat', 'algebra.repeatCommand', () => openAlgebra('repeat'), { enabled: hasOneKernel }),
  command('filter.split', 'algebra.splitCommand', () => openAlgebra('split'), { enabled: hasOneKernel }),
  command('filter.subtract', 'algebra.subtract', subtractSelected, { enabled: hasOneKernel }),
  ...maskShapeKinds.map((kind) =>
    command(`mask.${kind}`, `maskCommand.${kind}`, () => chooseTool(kind), {
      enabled: hasFilter,
      checked: () => maskDesk.getState().tool === kind,
    }),
  ),
  command('mask.luminance', 'maskCommand.luminance', toggleLuminance, { enabled: hasFilter }),
  command('mask.invert', 'maskCommand.invert', toggleInverted, {
    enabled: hasMask,
    checked: (state) => selectedFilter(state)?.mask?.inverted === true,
  }),
  command('mask.overlay', 'maskCommand.overlay', toggleOverlay, {
    shortcuts: ['Alt+Shift+M'],
    enabled: hasMask,
    checked: () => maskDesk.getState().overlay,
  }),
  command('mask.copy', 'maskCommand.copy', copyMask, { enabled: hasMask }),
  command('mask.paste', 'maskCommand.paste', pasteMask, { enabled: canPasteMask }),
  command('mask.remove', 'maskCommand.remove', removeMask, { enabled: hasMask }),
  // While the brush is in hand, [ and ] do the same (mask/MaskLayer.tsx).
  command('mask.brushSmaller', 'maskCommand.brushSmaller', () => scaleBrush(1 / brushStep), { enabled: hasPicture }),
  command('mask.brushLarger', 'maskCommand.brushLarger', () => scaleBrush(brushStep), { enabled: hasPicture }),
  command('view.fit', 'command.fit', () => currentViewport()?.sight.zoomToFit(), {
    shortcuts: ['Mod+0'],
    enabled: hasPicture,
  }),
  command('view.actualSize', 'command.actualSize', () => currentViewport()?.sight.zoomTo(1), {
    shortcuts: ['Mod+1'],
    enabled: hasPicture,
  }),
  command('view.doubleSize', 'command.doubleSize', () => currentViewport()?.sight.zoomTo(2), {
    shortcuts: ['Mod+2'],
    enabled: hasPicture,
  }),
  command('view.zoomIn', 'command.zoomIn', () => currentViewport()?.sight.zoomStep(1), {
    shortcuts: ['Mod++', 'Mod+='],
    enabled: hasPicture,
  }),
  command('view.zoomOut', 'command.zoomOut', () => currentViewport()?.sight.zoomStep(-1), {
    shortcuts: ['Mod+-'],
    enabled: hasPicture,
  }),
  command('view.turnRight', 'seeing.turnRight', () => currentViewport()?.sight.turn(1), {
    shortcuts: ['Mod+R'],
    enabled: hasPicture,
  }),
  command('view.turnLeft', 'seeing.turnLeft', () => currentViewport()?.sight.turn(-1), {
    shortcuts: ['Mod+L'],
    enabled: hasPicture,
  }),
  command('view.stop', 'command.stop', () => currentViewport()?.stop(), {
    shortcuts: ['Escape'],
    yieldsToText: 'whileTyping',
    enabled: (state) => hasPicture(state) && state.view?.busy === true,
  }),
  command('view.resume', 'command.resume', () => currentViewport()?.resume(), {
    enabled: (state) => hasPicture(state) && state.view?.stopped === true,
  }),
  compareCommand('result', 'command.showResult', 'Alt+1'),
  compareCommand('split', 'command.showSplit', 'Alt+2'),
  compareCommand('original', 'command.showOriginal', 'Alt+3'),
  compareCommand('difference', 'command.showDifference', 'Alt+4'),
  command('view.differenceMore', 'command.differenceMore', () => amplify(2), {
    shortcuts: [']'],
    yieldsToText: 'always',
    enabled: (state) => hasPicture(state) && state.compare === 'difference' && state.differenceGain < largestGain,
  }),
  command('view.differenceLess', 'command.differenceLess', () => amplify(0.5), {
    shortcuts: ['['],
    yieldsToText: 'always',
    enabled: (state) => hasPicture(state) && state.compare === 'difference' && state.differenceGain > 1,
  }),
  command('view.splitDirection', 'command.splitDirection', turnSplit, {
    shortcuts: ['Alt+Shift+2'],
    enabled: (state) => hasPicture(state) && state.compare === 'split',
  }),
  command(peekCommand, 'command.peek', () => pageStore.setState({ peeking: true }), {
    shortcuts: ['\\'],
    yieldsToText: 'always',
    enabled: hasPicture,
  }),
  command('view.explain', 'explain.command', togglePin, {
    shortcuts: ['Mod+I'],
    enabled: hasPicture,
    checked: (state) => state.pin !== null,
  }),
  command('view.histogram', 'histogram.command', () => histogramDesk.setState(({ isOpen }) => ({ isOpen: !isOpen })), {
    shortcuts: ['Alt+H'],
    enabled: hasPicture,
    checked: () => histogramDesk.getState().isOpen,
  }),
  command('view.clipping', 'command.clipping', () => pageStore.setState(({ clipping }) => ({ clipping: !clipping })), {
    shortcuts: ['Alt+C'],
    enabled: hasPicture,
    checked: (state) => state.clipping,
  }),
  command('view.signed', 'seeing.signed', () => pageStore.setState(({ signed }) => ({ signed: !signed })), {
    shortcuts: ['Alt+N'],
    enabled: (state) => state.image !== null && canBeSigned(state.image, seenStack(state)),
    checked: (state) => state.signed,
  }),
  command(
    'view.navigator',
    'navigator.command',
    () => pageStore.setState((state) => ({ navigator: !state.navigator })),
    {
      shortcuts: ['Alt+M'],
      enabled: hasPicture,
      checked: (state) => state.navigator,
    },
  ),
  ...valueFormats.map((values) =>
    command(`view.values.${values}`, `valueFormat.${values}`, () => void changeSettings({ values }), {
      group: 'seeing.values',
      checked: (state) => state.application?.settings.values === values,
    }),
  ),
  themeCommand('system', 'command.themeSystem'),
  themeCommand('dark', 'command.themeDark'),
  themeCommand('light', 'command.themeLight'),
  languageCommand('system', { kind: 'words', key: 'language.system' }),
  // Each language is written in itself, so that who cannot read the present one finds theirs.
  languageCommand('en', { kind: 'text', text: 'English' }),
  languageCommand('zh-CN', { kind: 'text', text: '简体中文' }),
  command('help.shortcuts', 'command.shortcuts', show('shortcuts'), { shortcuts: ['F1'] }),
  command('help.about', 'command.about', show('about')),
  // Last, so that the palette finds themes and commands of the same words first.
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

function languageCommand(language: Settings['language'], label: CommandLabel): Command {
  return {
    ...command(`view.language.${language}`, '', () => void changeSettings({ language }), {
      group: 'command.languageMenu',
      checked: (state) => state.application?.settings.language === language,
    }),
    label,
  };
}

const addCommands: readonly Command[] = catalogue.map(({ kind }) => ({
  id: `filter.add.${kind}`,
  label: { kind: 'words', key: 'command.addFilter', filterKey: `filter.${kind}` },
  shortcuts: [],
  yieldsToText: 'never',
  enabled: hasPicture,
  run: () => editor.add(kind),
}));

/** All commands for a state, with the keys that the person has given them. */
export function commandsFor(state: PageState): readonly Command[] {
  return withKeys(shippedCommands(state), state.application?.settings.keys ?? {});
}

/** The same with the keys that they come with: the fixed ones, one to add each filter, and those for samples, recent files
 * and engines. */
export function shippedCommands(state: PageState): readonly Command[] {
  const { application } = state;
  if (application === null) return [...fixedCommands, ...addCommands];
  const samples = application.samples.map(
    (name): Command =>
      command(`file.sample.${name}`, `sample.${name}`, () => void openSample(name), { group: 'command.samples' }),
  );
  const recent = application.recentFiles.map(
    (file, index): Command => ({
      ...command(`file.recent.${index}`, '', () => void openRecent(index), { group: 'command.recent' }),
      label: { kind: 'text', text: recentLabel(file, translation.t as unknown as Translate) },
    }),
  );
  const engines = application.backends.map(
    ({ name, available }): Command => ({
      ...command(`view.backend.${name}`, `engine.${name}`, () => void changeSettings({ backend: name }), {
        group: 'command.backend',
        enabled: () => available,
        checked: (now) => now.application?.settings.backend === name,
      }),
    }),
  );
  const automatic = command(
    'view.backend.auto',
    'command.backendAuto',
    () => void changeSettings({ backend: 'auto' }),
    {
      group: 'command.backend',
      checked: (now) => now.application?.settings.backend === 'auto',
    },
  );
  return [...fixedCommands, ...addCommands, ...samples, ...recent, automatic, ...engines];
}

/** A recent file for a list: its name first, so that a long folder hides only itself. */
function recentLabel(file: RecentFile, t: Translate): string {
  const { folder } = recentPlace(file.path);
  const name = recentName(file, t);
  return folder === '' ? name : `${name} — ${folder}`;
}

export function findCommand(state: PageState, id: string): Command | undefined {
  return commandsFor(state).find((known) => known.id === id);
}

/** Runs a command by its id if it can run now; answers whether it did. */
export function runCommand(id: string): boolean {
  const state = pageStore.getState();
  const found = findCommand(state, id);
  if (found === undefined || !found.enabled(state)) return false;
  found.run();
  return true;
}

/** The label with the submenu before it, for lists that have no submenus. */
export function fullLabelOf({ label, group }: Command, translate: Translate): string {
  const words = labelOf(label, translate);
  return group === undefined ? words : translate('command.grouped', { group: translate(group), label: words });
}

/** The label in the present language. */
export function labelOf(label: CommandLabel, translate: Translate): string {
  if (label.kind === 'text') return label.text;
  return label.filterKey === undefined
    ? translate(label.key)
    : translate(label.key, { filter: translate(label.filterKey) });
}
