// The desktop as handlers need it, by Electron: dialogs, the clipboard, recent documents and the theme.

import path from 'node:path';
import { app, type BrowserWindow, dialog, nativeTheme } from 'electron';
import { formatNames } from '../core/exportOptions';
import { kernelEndings } from '../core/interchange/read';
import { readClipboard, readClipboardText, writeClipboard } from './clipboard';
import { formatExtensions } from './codec/exportFormat';
import { pictureEndings } from './codec/sniff';
import type { Desktop } from './handlers';
import { announceTo } from './ipc';
import { setApplicationMenu } from './menu';

/** `window` answers the editor's window, or null while there is none (macOS without windows). */
export function createDesktop(window: () => BrowserWindow | null): Desktop {
  const announce: Desktop['announce'] = (announcement, value) => {
    const page = window()?.webContents;
    if (page) announceTo(page, announcement, value);
  };
  return {
    async chooseFileToOpen() {
      const options: Electron.OpenDialogOptions = {
        properties: ['openFile'],
        filters: [
          { name: 'Pictures and projects', extensions: [...pictureEndings, 'convolve'] },
          { name: 'Kernels', extensions: [...kernelEndings] },
          { name: 'All files', extensions: ['*'] },
        ],
      };
      const parent = window();
      const answer = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options));
      return answer.canceled ? null : (answer.filePaths[0] ?? null);
    },
    async chooseBatchFiles() {
      const options: Electron.OpenDialogOptions = {
        properties: ['openFile', 'multiSelections'],
        filters: [
          { name: 'Pictures', extensions: [...pictureEndings] },
          { name: 'All files', extensions: ['*'] },
        ],
      };
      const parent = window();
      const answer = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options));
      return answer.canceled ? null : answer.filePaths;
    },
    async chooseFolder(purpose) {
      const options: Electron.OpenDialogOptions = {
        properties: purpose === 'save' ? ['openDirectory', 'createDirectory'] : ['openDirectory'],
      };
      const parent = window();
      const answer = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options));
      return answer.canceled ? null : (answer.filePaths[0] ?? null);
    },
    async chooseExportTarget(suggestion, format) {
      const extensions = formatExtensions[format].map((ending) => ending.slice(1));
      const options: Electron.SaveDialogOptions = {
        defaultPath: suggestion,
        filters: [{ name: formatNames[format], extensions }],
        properties: ['showOverwriteConfirmation', 'createDirectory'],
      };
      const parent = window();
      const answer = await (parent ? dialog.showSaveDialog(parent, options) : dialog.showSaveDialog(options));
      return answer.canceled || answer.filePath === '' ? null : answer.filePath;
    },
    async chooseProjectTarget(suggestion) {
      const options: Electron.SaveDialogOptions = {
        defaultPath: suggestion,
        filters: [{ name: 'Convolve project', extensions: ['convolve'] }],
        properties: ['showOverwriteConfirmation', 'createDirectory'],
      };
      const parent = window();
      const answer = await (parent ? dialog.showSaveDialog(parent, options) : dialog.showSaveDialog(options));
      return answer.canceled || answer.filePath === '' ? null : answer.filePath;
    },
    async chooseFileTarget(suggestion) {
      const ending = path.extname(suggestion).slice(1);
      const options: Electron.SaveDialogOptions = {
        defaultPath: suggestion,
        filters: [
          { name: ending.toUpperCase(), extensions: [ending] },
          { name: 'All files', extensions: ['*'] },
        ],
        properties: ['showOverwriteConfirmation', 'createDirectory'],
      };
      const parent = window();
      const answer = await (parent ? dialog.showSaveDialog(parent, options) : dialog.showSaveDialog(options));
      return answer.canceled || answer.filePath === '' ? null : answer.filePath;
    },
    async chooseKernelFile(way) {
      const filters = [{ name: 'Kernels', extensions: ['json'] }];
      const parent = window();
      if (way === 'open') {
        const options: Electron.OpenDialogOptions = { properties: ['openFile'], filters };
        const answer = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options));
        return answer.canceled ? null : (answer.filePaths[0] ?? null);
      }
      const options: Electron.SaveDialogOptions = {
        defaultPath: path.join(app.getPath('documents'), 'kernels.json'),
        filters,
        properties: ['showOverwriteConfirmation', 'createDirectory'],
      };
      const answer = await (parent ? dialog.showSaveDialog(parent, options) : dialog.showSaveDialog(options));
      return answer.canceled || answer.filePath === '' ? null : answer.filePath;
    },
    readClipboard,
    readClipboardText,
    writeClipboard,
    announce,
    picturesFolder: app.getPath('pictures'),
    noteRecentFile: (filePath) => app.addRecentDocument(filePath),
    settingsChanged: ({ theme, keys }) => {
      nativeTheme.themeSource = theme;
      setApplicationMenu((id) => announce('command:run', { id }), keys);
    },
    closeWindow: () => window()?.destroy(),
  };
}
