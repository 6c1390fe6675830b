// The person's settings and recent files: one JSON file in the user's folder, parsed when read and written whole. A file
// that does not parse is set aside under another name, never lost and never in the way.

import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type RecentFile, type Settings, settingsSchema, standardSettings } from '../core/ipc';
import { writeAtomically } from './atomicWrite';

export const maximumRecentFiles = 10;
const maximumFileBytes = 1e6;

const recentFileSchema = z.object({
  /** Absolute. */
  path: z.string(),
  page: z.int().min(1),
});

const storedSchema = z.object({
  version: z.literal(1),
  /** Files of earlier versions lack what has come since. */
  settings: z.looseObject({}).transform((stored) => settingsSchema.parse({ ...standardSettings, ...stored })),
  /** The newest first; a path alone is the first page of its file. */
  recentFiles: z.array(z.union([recentFileSchema, z.string().transform((file) => ({ path: file, page: 1 }))])).max(100),
});
type Stored = z.infer<typeof storedSchema>;

const empty: Stored = { version: 1, settings: standardSettings, recentFiles: [] };

export class SettingsFile {
  private writes: Promise<void> = Promise.resolve();

  private constructor(
    private readonly filePath: string,
    private stored: Stored,
    /** Where a file that did not parse was moved to, or null. */
    readonly setAside: string | null,
  ) {}

  /** Reads the file; a missing one means the defaults. Never rejects: an editor that starts is worth more than settings. */
  static async open(filePath: string): Promise<SettingsFile> {
    try {
      const status = await stat(filePath).catch(() => null);
      if (status === null) return new SettingsFile(filePath, empty, null);
      // A pipe of that name would be waited for without end.
      if (!status.isFile() || status.size > maximumFileBytes) throw new Error('no settings');
      const text = await readFile(filePath, 'utf8');
      return new SettingsFile(filePath, storedSchema.parse(JSON.parse(text)), null);
    } catch {
      const aside = `${filePath}.damaged-${Date.now()}`;
      const moved = await rename(filePath, aside).then(
        () => aside,
        () => null,
      );
      return new SettingsFile(filePath, empty, moved);
    }
  }

  get settings(): Settings {
    return this.stored.settings;
  }

  get recentFiles(): readonly RecentFile[] {
    return this.stored.recentFiles;
  }

  async change(part: Partial<Settings>): Promise<Settings> {
    await this.store({ ...this.stored, settings: settingsSchema.parse({ ...this.stored.settings, ...part }) });
    return this.stored.settings;
  }

  /** Of one file only the page that was opened last is kept. */
  async addRecent(file: RecentFile): Promise<void> {
    const others = this.stored.recentFiles.filter((other) => other.path !== file.path);
    await this.store({ ...this.stored, recentFiles: [file, ...others].slice(0, maximumRecentFiles) });
  }

  async removeRecent(file: string): Promise<void> {
    await this.store({ ...this.stored, recentFiles: this.stored.recentFiles.filter((other) => other.path !== file) });
  }

  /** Writes follow one another, and the last state is the one that stays. */
  private async store(next: Stored): Promise<void> {
    this.stored = next;
    const write = async () => {
      // A folder that cannot be made is missing when the file is written, and that failure names it.
      await mkdir(path.dirname(this.filePath), { recursive: true }).catch(() => undefined);
      await writeAtomically(this.filePath, [Buffer.from(`${JSON.stringify(next, null, 2)}\n`)]);
    };
    this.writes = this.writes.then(write, write);
    await this.writes;
  }
}
