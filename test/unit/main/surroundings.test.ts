// A home that cannot be written and shared memory that is missing keep the program from starting only if nobody looks.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Application, prepareSurroundings } from '../../../main/surroundings';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-surroundings-'));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function applicationWith(userData: () => string) {
  const switches: string[] = [];
  let chosen: string | null = null;
  const application: Application = {
    getPath: userData,
    setPath: (_name, given) => {
      chosen = given;
    },
    commandLine: { appendSwitch: (word) => switches.push(word) },
  };
  return { application, switches, chosen: () => chosen };
}

it('leaves what is in order as it is', () => {
  const { application, switches, chosen } = applicationWith(() => path.join(folder, 'user'));
  prepareSurroundings(application, os.tmpdir());
  expect([switches, chosen()]).toEqual([[], null]);
});

it('does without shared memory that is not there', () => {
  const { application, switches } = applicationWith(() => folder);
  prepareSurroundings(application, path.join(folder, 'nothing'));
  expect(switches).toEqual(['disable-dev-shm-usage']);
  prepareSurroundings(application, null);
  expect(switches.length).toBe(1);
});

it.each([
  ['cannot be made', () => path.join(folder, 'taken', 'user')],
  [
    'has no name',
    () => {
      throw new Error("Failed to get 'userData' path");
    },
  ],
])('takes a temporary folder where the one for settings %s, and says so', (_what, userData) => {
  writeFileSync(path.join(folder, 'taken'), '');
  const { application, chosen } = applicationWith(userData);
  prepareSurroundings(application, null);
  const taken = chosen() ?? '';
  expect(existsSync(taken)).toBe(true);
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining(taken));
  rmSync(taken, { recursive: true });
});
