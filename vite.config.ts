// Builds the page (renderer/) into dist/renderer as plain files that load under the strict content policy of index.html.

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  // Relative addresses: the page is loaded from a folder or a custom scheme, never from a server's root.
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // Chromium of the oldest runtime the app is tested on (Electron 33).
    target: 'chrome130',
    // Fonts and pictures stay files: the content policy has no data: source for fonts.
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 1500,
  },
});
