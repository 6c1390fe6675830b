// What the results of a batch are called: a pattern with `{name}`, `{number}` and `{format}`, and a rule for names that are
// taken.

import { access } from 'node:fs/promises';
import path from 'node:path';
import type { ConflictRule } from '../../core/batch';
import { ConvolveError } from '../../core/errors';

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

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/** Names are the same where a disk that ignores case would take them for the same. */
const keyOf = (file: string) => path.normalize(file).toLowerCase();

/** Gives each result of a batch a name of its own. */
export class TargetNames {
  private readonly taken = new Set<string>();
  private readonly sources: ReadonlySet<string>;

  /** `sources`: the files that the batch reads, which no result may replace. */
  constructor(
    private readonly rule: ConflictRule,
    sources: readonly string[],
  ) {
    this.sources = new Set(sources.map(keyOf));
  }

  /**
   * The file to write for the wanted one, or null where the rule says to leave what is there. Throws targetUnwritable for a
   * name that another result of this batch has, or that a source has, unless the rule is to rename.
   */
  async take(wanted: string): Promise<string | null> {
    const { dir, name, ext } = path.parse(wanted);
    for (let count = 1; ; count += 1) {
      const file = count === 1 ? wanted : path.join(dir, `${name}-${count}${ext}`);
      const key = keyOf(file);
      const ours = this.taken.has(key);
      const source = this.sources.has(key);
      // Held before anything is waited for: results are named at the same time.
      if (!ours) this.taken.add(key);
      const free = !ours && !source && !(await exists(file));
      if (free || (this.rule === 'overwrite' && !ours && !source)) return file;
      if (this.rule === 'rename') continue;
      if (this.rule === 'skip' && !ours) return null;
      throw new ConvolveError({
        code: 'targetUnwritable',
        subject: path.basename(file),
        actual: source ? 'the batch reads a picture of that name' : 'another result of the batch has that name',
      });
    }
  }

  /** Takes the file that an earlier, interrupted run had begun: it may be replaced. */
  takeAgain(file: string): void {
    this.taken.add(keyOf(file));
  }
}
