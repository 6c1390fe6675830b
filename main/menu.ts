// The application menu. macOS has a menu bar of its own, with the system's editing roles and our commands by id; elsewhere
// the page draws the menus, and there is none here.

import { app, Menu, type MenuItemConstructorOptions } from 'electron';

/** `run` passes a command's id to the page. */
export function setApplicationMenu(run: (id: string) => void): void {
  if (process.platform !== 'darwin') {
    Menu.setApplicationMenu(null);
    return;
  }
  const command = (label: string, id: string, accelerator: string): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => run(id),
  });
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      { label: app.name, role: 'appMenu' },
      {
        label: 'File',
        submenu: [
          command('Open…', 'file.open', 'CmdOrCtrl+O'),
          {
            label: 'Open Recent',
            role: 'recentDocuments',
            submenu: [{ label: 'Clear Menu', role: 'clearRecentDocuments' }],
          },
          { type: 'separator' },
          command('Save', 'file.save', 'CmdOrCtrl+S'),
          command('Save As…', 'file.saveAs', 'CmdOrCtrl+Shift+S'),
          command('Export…', 'file.export', 'CmdOrCtrl+Shift+E'),
          { type: 'separator' },
          { role: 'close' },
        ],
      },
      {
        label: 'Edit',
        submenu: [
          // The page's own keys: they undo in a field while it is typed in, and in the document otherwise.
          { ...command('Undo', 'edit.undo', 'CmdOrCtrl+Z'), registerAccelerator: false },
          { ...command('Redo', 'edit.redo', 'CmdOrCtrl+Shift+Z'), registerAccelerator: false },
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
