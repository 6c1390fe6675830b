// What the results of a batch are called: a pattern with `{name}`, `{number}` and `{format}`, and a rule for names that are
// taken.

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ConflictRule } from '../../core/batch';
import { ConvolveError } from '../../core/errors';
import { exists } from '../pictureFile';

const placeholders = ['name', 'number', 'format'] as const;
type Placeholder = (typeof placeholders)[number];

const refuse = (actual: string) =>
  new ConvolveError({
    code: 'invalidArgument',
    subject: 'name pattern',
    expected: `a file name without its ending, in which ${placeholders.map((word) => `{${word}}`).join(', ')} stand for what they say`,
    actual,
  });

/** Throws invalidArgument for a pattern that could leave the output folder, or that names an unknown placeholder. */
export function checkPattern(pattern: string): void {
  const unknown = [...pattern.matchAll(/\{([^}]*)\}?/g)].find(
    ([, word]) => !placeholders.includes(word as Placeholder),
  );
  const plain = pattern.replaceAll(/\{[^}]*\}/g, 'x');
  const forbidden = [...plain].some((sign) => '/\\:*?"<>|{}'.includes(sign) || sign < ' ');
  if (pattern === '' || unknown || forbidden || plain.startsWith('.') || plain.length > 150) throw refuse(pattern);
}

/** A result's name without its ending. `number` counts from 1; it is as long as the last number of the batch. */
export function fillPattern(pattern: string, name: string, number: number, total: number, format: string): string {
  const values: Readonly<Record<Placeholder, string>> = {
    name,
    number: String(number).padStart(String(total).length, '0'),
    format,
  };
  return pattern.replaceAll(/\{([^}]*)\}/g, (_, word: Placeholder) => values[word]);
}

/** Names are the same where a disk that ignores case would take them for the same. */
const keyOf = (file: string) => path.normalize(file).toLowerCase();

/** The file that a name leads to, through links of its own or of its folder. */
async function keyThroughLinks(file: string): Promise<string> {
  const real = await realpath(file).catch(async () => {
    const folder = await realpath(path.dirname(file)).catch(() => path.dirname(file));
    return path.join(folder, path.basename(file));
  });
  return keyOf(real);
}

/** Gives each result of a batch a name of its own. */
export class TargetNames {
  /** By name, the source whose result it is. */
  private readonly taken = new Map<string, string>();
  private before: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly rule: ConflictRule,
    private readonly sources: ReadonlySet<string>,
  ) {}

  /** `sources`: the files that the batch reads, which no result may replace, by whichever links it reaches them. */
  static async create(rule: ConflictRule, sources: readonly string[]): Promise<TargetNames> {
    return new TargetNames(rule, new Set(await Promise.all(sources.map(keyThroughLinks))));
  }

  /**
   * The file to write for the wanted one, or null where the rule says to leave what is there. Throws targetUnwritable for a
   * name that another result of this batch has, or that a source has, unless the rule is to rename.
   */
  take(wanted: string, result: string): Promise<string | null> {
    // One after another: results are named at the same time, and who asks first is first.
    const named = this.before.then(() => this.name(wanted, result));
    this.before = named.catch(() => undefined);
    return named;
  }

  private async name(wanted: string, result: string): Promise<string | null> {
    const { dir, name, ext } = path.parse(wanted);
    for (let count = 1; ; count += 1) {
      const file = count === 1 ? wanted : path.join(dir, `${name}-${count}${ext}`);
      const key = await keyThroughLinks(file);
      const owner = this.taken.get(key);
      const ours = owner !== undefined && owner !== result;
      const source = this.sources.has(key);
      if (owner === undefined) this.taken.set(key, result);
      const free = owner === result || (!ours && !(await exists(file)));
      if (!source && (free || (this.rule === 'overwrite' && !ours))) return file;
      if (this.rule === 'rename') continue;
      if (this.rule === 'skip' && !ours) return null;
      throw new ConvolveError({
        code: 'targetUnwritable',
        subject: path.basename(file),
        actual: source ? 'the batch reads a picture of that name' : 'another result of the batch has that name',
      });
    }
  }

  /** Keeps the file that an earlier, interrupted run had begun for the result of a source, which may replace it. */
  async keep(file: string, result: string): Promise<void> {
    this.taken.set(await keyThroughLinks(file), result);
  }
}
