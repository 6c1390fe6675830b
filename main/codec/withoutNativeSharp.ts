// Electron on Linux is linked against the system's GLib, and sharp's binary brings a GLib of its own: two copies of one
// library under the same names in one process, which ends in a crash at the first decode (seen with Electron 33; known as
// lovell/sharp#4522 and #4525). There sharp runs as WebAssembly instead: the same libvips and the same calls, about a third
// of the speed (12-megapixel JPEG: 140 ms instead of 50), and hostile files meet a sandbox. sharp falls back to that build
// by itself when no binary loads, so no binary may load while it looks for one.

import { createRequire } from 'node:module';

const ownFile = typeof __filename === 'string' ? __filename : import.meta.filename;

if (process.platform === 'linux' && process.versions.electron !== undefined) {
  const usual = process.dlopen;
  process.dlopen = () => {
    throw new Error('not beside the GLib of Electron');
  };
  try {
    createRequire(ownFile)('sharp');
  } finally {
    process.dlopen = usual;
  }
}
