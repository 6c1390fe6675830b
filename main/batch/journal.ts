// What a batch has done, as lines of JSON in its output folder, so that a run that ended early can go on: a line before a
// result is written and one after. A line that a crash cut off is ignored. A batch without a failure takes its journal away.

import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ConvolveError } from '../../core/errors';
import { targetError } from '../atomicWrite';

export const journalName = '.convolve-batch.jsonl';

/** What a source file was when it was read: a changed one is done anew. */
const sourceSchema = z.object({ source: z.string(), bytes: z.number(), modified: z.number() });
export type SourceMark = z.infer<typeof sourceSchema>;

/** Where a result stands below the output folder; a line that leads out of it is no line of this program. */
const targetSchema = z.string().refine((target) => !path.isAbsolute(target) && !target.split(/[\\/]/).includes('..'));

const headSchema = z.object({ kind: z.literal('batch'), version: z.literal(1), settings: z.string() });
const lineSchema = z.discriminatedUnion('kind', [
  sourceSchema.extend({ kind: z.literal('begun'), target: targetSchema }),
  sourceSchema.extend({ kind: z.literal('done'), target: targetSchema }),
  sourceSchema.extend({ kind: z.literal('failed') }),
]);
type Line = z.infer<typeof lineSchema>;

/** The newest line of each source. */
export type Earlier = ReadonlyMap<string, Line>;

export async function markOf(source: string): Promise<SourceMark> {
  const status = await stat(source).catch(() => null);
  return { source, bytes: status?.size ?? 0, modified: status?.mtimeMs ?? 0 };
}

export const isSame = (a: SourceMark, b: SourceMark) =>
  a.source === b.source && a.bytes === b.bytes && a.modified === b.modified;

function parseLine<T>(schema: z.ZodType<T>, text: string | undefined): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(text ?? ''));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export class Journal {
  private constructor(private readonly file: string) {}

  /** Begins a journal; an older one in the folder is gone. `settings`: digest of all that makes the results what they are. */
  static async begin(folder: string, settings: string): Promise<Journal> {
    const file = path.join(folder, journalName);
    try {
      await writeFile(file, `${JSON.stringify({ kind: 'batch', version: 1, settings })}\n`);
    } catch (thrown) {
      throw targetError(thrown, file);
    }
    return new Journal(file);
  }

  /**
   * Goes on with the journal of a run with the same settings; null where the folder has none. Throws invalidArgument where
   * the settings are others.
   */
  static async goOn(
    folder: string,
    settings: string,
  ): Promise<{ readonly journal: Journal; readonly earlier: Earlier } | null> {
    const file = path.join(folder, journalName);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) return null;
    const [first, ...lines] = text.split('\n');
    const head = parseLine(headSchema, first);
    if (head?.settings !== settings)
      throw new ConvolveError({
        code: 'invalidArgument',
        subject: 'resume',
        expected: 'the filters, format and names of the batch that was interrupted, or a batch from the start',
        actual: head ? 'other ones' : 'a journal that cannot be read',
      });
    const earlier = new Map<string, Line>();
    for (const line of lines) {
      const entry = parseLine(lineSchema, line);
      if (entry) earlier.set(entry.source, entry);
    }
    // A line that was cut off must not swallow the next one.
    if (!text.endsWith('\n')) await appendFile(file, '\n');
    return { journal: new Journal(file), earlier };
  }

  /** Throws targetFull, targetFolderMissing or targetUnwritable. */
  async write(line: Line): Promise<void> {
    try {
      await appendFile(this.file, `${JSON.stringify(line)}\n`);
    } catch (thrown) {
      throw targetError(thrown, this.file);
    }
  }

  async remove(): Promise<void> {
    await rm(this.file, { force: true });
  }
}
