// What is done with documents: opened, saved, exported, closed, undone; and the palette.

import { canRedo, canUndo } from '../../core/history';
import { openDialog, paste } from '../actions';
import { closeDocument, saveDocument, stepTab } from '../documentActions';
import { editor } from '../editor';
import { isUnsaved } from '../store';
import { type Command, command, hasPicture, show } from './record';

export const documentCommands: readonly Command[] = [
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
];
