// The application menu. macOS has a menu bar of its own, with the system's editing roles and our commands by id; elsewhere
// the page draws the menus, and there is none here.

import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { Settings } from '../core/ipc';

/** `run` passes a command's id to the page. `keys`: the person's, which go before those that are written here. */
export function setApplicationMenu(run: (id: string) => void, keys: Settings['keys']): void {
  if (process.platform !== 'darwin') {
    Menu.setApplicationMenu(null);
    return;
  }
  const command = (label: string, id: string, shortcut: string): MenuItemConstructorOptions => {
    const [key] = keys[id] ?? [shortcut];
    const accelerator = key
      ?.replace('Mod', 'CmdOrCtrl')
      .replace(/Arrow(?=[A-Z])/, '')
      .replace(/\+\+$/, '+Plus');
    return { label, ...(accelerator === undefined ? {} : { accelerator }), click: () => run(id) };
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      {
        label: app.name,
        submenu: [
          { role: 'about' },
          { type: 'separator' },
          command('Settings…', 'file.settings', 'Mod+,'),
          { type: 'separator' },
          { role: 'services' },
          { type: 'separator' },
          { role: 'hide' },
          { role: 'hideOthers' },
          { role: 'unhide' },
          { type: 'separator' },
          { role: 'quit' },
        ],
      },
      {
        label: 'File',
        submenu: [
          command('Open…', 'file.open', 'Mod+O'),
          {
            label: 'Open Recent',
            role: 'recentDocuments',
            submenu: [{ label: 'Clear Menu', role: 'clearRecentDocuments' }],
          },
          { type: 'separator' },
          command('Save', 'file.save', 'Mod+S'),
          command('Save As…', 'file.saveAs', 'Mod+Shift+S'),
          command('Export…', 'file.export', 'Mod+Shift+E'),
          { type: 'separator' },
          command('Close', 'file.close', 'Mod+W'),
          // The system's own key for it is the one above.
          { role: 'close', label: 'Close Window', accelerator: 'CmdOrCtrl+Shift+W' },
        ],
      },
      {
        label: 'Edit',
        submenu: [
          // The page's own keys: they undo in a field while it is typed in, and in the document otherwise.
          { ...command('Undo', 'edit.undo', 'Mod+Z'), registerAccelerator: false },
          { ...command('Redo', 'edit.redo', 'Mod+Shift+Z'), registerAccelerator: false },
          { type: 'separator' },
          { role: 'cut' },
          { role: 'copy' },
          { role: 'paste' },
          { role: 'selectAll' },
        ],
      },
      { role: 'windowMenu' },
    ]),
  );
}
