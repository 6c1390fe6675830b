// Settings and recent files: kept across starts, written whole, and a damaged file set aside instead of lost.

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { standardSettings } from '../../../core/ipc';
import { maximumRecentFiles, SettingsFile } from '../../../main/settings';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-settings-'));
  file = path.join(folder, 'user', 'settings.json');
});
afterEach(() => rm(folder, { recursive: true }));

it('starts with the defaults and writes nothing by itself', async () => {
  const settings = await SettingsFile.open(file);
  expect(settings.settings).toEqual(standardSettings);
  expect(settings.recentFiles).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

it('keeps a change for the next start', async () => {
  const settings = await SettingsFile.open(file);
  expect(await settings.change({ theme: 'dark' })).toEqual({ ...standardSettings, theme: 'dark' });
  await settings.change({ language: 'zh-CN' });
  expect((await SettingsFile.open(file)).settings).toEqual({ ...standardSettings, theme: 'dark', language: 'zh-CN' });
  expect(await readdir(path.dirname(file))).toEqual(['settings.json']);
});

it('keeps the last of many changes at once', async () => {
  const settings = await SettingsFile.open(file);
  const themes = ['dark', 'light', 'system', 'dark', 'light'] as const;
  await Promise.all(themes.map((theme) => settings.change({ theme })));
  expect((await SettingsFile.open(file)).settings.theme).toBe('light');
});

it('reads recent files that are paths alone, as older files have them', async () => {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ version: 1, settings: standardSettings, recentFiles: ['/photos/1.jpg'] }));
  expect((await SettingsFile.open(file)).recentFiles).toEqual([{ path: '/photos/1.jpg', page: 1 }]);
});

it('lists recent files newest first, each once, ten at most', async () => {
  const settings = await SettingsFile.open(file);
  for (let index = 0; index < 14; index += 1) await settings.addRecent({ path: `/photos/${index}.jpg`, page: 1 });
  await settings.addRecent({ path: '/photos/9.jpg', page: 2 });
  const recent = (await SettingsFile.open(file)).recentFiles;
  expect(recent.length).toBe(maximumRecentFiles);
  expect(recent.slice(0, 3)).toEqual([
    { path: '/photos/9.jpg', page: 2 },
    { path: '/photos/13.jpg', page: 1 },
    { path: '/photos/12.jpg', page: 1 },
  ]);
  await settings.removeRecent('/photos/9.jpg');
  expect((await SettingsFile.open(file)).recentFiles[0]?.path).toBe('/photos/13.jpg');
});

for (const [what, text] of [
  ['not JSON', '{"version": 1, "settings": {"theme":'],
  ['of another shape', '{"version": 1, "settings": {"theme": "purple"}, "recentFiles": []}'],
  ['of a later version', '{"version": 2}'],
] as const)
  it(`sets a file that is ${what} aside and starts with the defaults`, async () => {
    await (await SettingsFile.open(file)).change({ theme: 'dark' });
    await writeFile(file, text);
    const settings = await SettingsFile.open(file);
    expect(settings.settings).toEqual(standardSettings);
    expect(settings.setAside).not.toBeNull();
    expect(await readFile(settings.setAside!, 'utf8')).toBe(text);
    await settings.change({ theme: 'light' });
    expect((await SettingsFile.open(file)).settings.theme).toBe('light');
  });

it('sets aside what is no file, or far too long for one of settings, without waiting for it', async () => {
  await mkdir(path.dirname(file));
  const obstacles = [
    () => mkdir(file),
    () => writeFile(file, ' '.repeat(2_000_000)),
    ...(process.platform === 'win32' ? [] : [async () => void execFileSync('mkfifo', [file])]),
  ];
  for (const place of obstacles) {
    await place();
    const settings = await SettingsFile.open(file);
    expect(settings.settings).toEqual(standardSettings);
    expect(settings.setAside).not.toBeNull();
    await settings.change({ theme: 'light' });
    expect((await SettingsFile.open(file)).settings.theme).toBe('light');
    await rm(file);
  }
});

it('takes the standard for what an earlier version did not have', async () => {
  await mkdir(path.dirname(file), { recursive: true });
  const stored = { version: 1, settings: { theme: 'dark', language: 'en', backend: 'cpu' }, recentFiles: [] };
  await writeFile(file, JSON.stringify(stored));
  const settings = await SettingsFile.open(file);
  expect(settings.setAside).toBeNull();
  expect(settings.settings).toEqual({ ...standardSettings, ...stored.settings });
});
