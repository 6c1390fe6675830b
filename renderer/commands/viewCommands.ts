// How the picture is seen: zoom, compare, marks, panels over it.

import { valueFormats } from '../../core/ipc';
import { changeSettings } from '../actions';
import { togglePin } from '../explainActions';
import { histogramDesk } from '../histogramActions';
import { pageStore, seenStack } from '../store';
import type { CompareMode } from '../viewport/compare';
import { currentViewport } from '../viewport/current';
import { canBeSigned } from '../viewport/subject';
import { type Command, command, hasPicture } from './record';

function compareCommand(mode: CompareMode, key: string, shortcut: string): Command {
  return command(`view.${mode}`, key, () => pageStore.setState({ compare: mode }), {
    shortcuts: [shortcut],
    enabled: hasPicture,
    checked: (state) => state.compare === mode,
  });
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

export const viewCommands: readonly Command[] = [
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
];
