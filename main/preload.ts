// The page's only way to main: `window.bridge`, three functions, and the pixel port handed over as a window message. Runs in
// the sandbox; nothing of Electron itself reaches the page.

import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { type Announcement, announcements, type Bridge, type Channel, channelArguments } from '../core/ipc';

const channels: ReadonlySet<string> = new Set(Object.keys(channelArguments));

const bridge: Bridge = {
  call: (channel: Channel, argument: unknown) => {
    // Dropped files come through openDropped alone, so that the page cannot name a path.
    if (!channels.has(channel) || channel === 'image:openDropped')
      return Promise.resolve({ ok: false, failure: { code: 'invalidArgument', subject: 'channel' } });
    return ipcRenderer.invoke(channel, argument);
  },
  openDropped: (file) => {
    const path = webUtils.getPathForFile(file);
    // A File that the page made itself has no path.
    if (path === '') return Promise.resolve({ ok: false, failure: { code: 'fileUnreadable', subject: file.name } });
    return ipcRenderer.invoke('image:openDropped', { path });
  },
  listen: (announcement: Announcement, listener: (value: never) => void) => {
    if (!announcements.includes(announcement)) return () => undefined;
    const relay = (_event: unknown, value: unknown) => listener(value as never);
    ipcRenderer.on(announcement, relay);
    return () => {
      ipcRenderer.off(announcement, relay);
    };
  },
};

contextBridge.exposeInMainWorld('bridge', bridge);

// A port cannot cross the context bridge; a window message can carry it into the page's world.
ipcRenderer.on('convolve:port', (event) => {
  window.postMessage('convolve:port', window.location.origin, event.ports);
});
