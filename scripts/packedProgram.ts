// Where electron-builder puts the packed program for this system, and what it is called there.

import path from 'node:path';
import { inRoot } from './paths';

export interface PackedProgram {
  readonly folder: string;
  readonly executable: string;
  readonly resources: string;
}

function locate(): PackedProgram {
  if (process.platform === 'darwin') {
    const folder = inRoot('release', process.arch === 'arm64' ? 'mac-arm64' : 'mac');
    const contents = path.join(folder, 'Convolve.app', 'Contents');
    return {
      folder,
      executable: path.join(contents, 'MacOS', 'Convolve'),
      resources: path.join(contents, 'Resources'),
    };
  }
  const windows = process.platform === 'win32';
  const name = windows ? 'win' : 'linux';
  const folder = inRoot('release', process.arch === 'arm64' ? `${name}-arm64-unpacked` : `${name}-unpacked`);
  return {
    folder,
    executable: path.join(folder, windows ? 'Convolve.exe' : 'convolve'),
    resources: path.join(folder, 'resources'),
  };
}

export const packedProgram: PackedProgram = locate();
