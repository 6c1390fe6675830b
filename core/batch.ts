// A batch as the page and main speak of it: what is asked for, how far it is, and how it ended. Paths stay in main.

import { z } from 'zod';
import type { Failure } from './errors';
import type { ExportLoss } from './exportLosses';
import { exportFormats, exportOptionsSchema } from './exportOptions';
import { stackSchema } from './filterSchema';
import type { Language } from './language';
import type { PictureWarning } from './warningText';

/** For a result whose name is taken by a file: leave that file, find another name, or replace it. */
export const conflictRules = ['skip', 'rename', 'overwrite'] as const;
export type ConflictRule = (typeof conflictRules)[number];

/** start: every source anew. resume: what an earlier run has not done, or what has changed since. retry: only what failed in it. */
export const batchScopes = ['start', 'resume', 'retry'] as const;
export type BatchScope = (typeof batchScopes)[number];

/** `same`: the source's own format, or PNG where it cannot be written. */
export const batchFormats = ['same', ...exportFormats] as const;
export type BatchFormat = (typeof batchFormats)[number];

export const batchRequestSchema = z.object({
  stack: stackSchema,
  options: exportOptionsSchema.omit({ format: true }),
  format: z.enum(batchFormats),
  pattern: z.string().max(200),
  conflict: z.enum(conflictRules),
  scope: z.enum(batchScopes),
});
export type BatchRequest = z.infer<typeof batchRequestSchema>;

export interface BatchProgress {
  readonly total: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** Pictures a second since the start, time on pause not counted; 0 before the first is done. */
  readonly rate: number;
  /** null before the first is done. */
  readonly secondsLeft: number | null;
}

/** Of what was skipped: files that were there already, and those of them that are older than their picture. */
export interface ResultsLeft {
  readonly taken: number;
  readonly changed: number;
}

/** The pictures that were chosen for a batch. */
export interface BatchChoice {
  readonly count: number;
  /** Name of the folder, or of the first file. */
  readonly name: string;
}

export interface BatchEnd extends BatchProgress {
  readonly milliseconds: number;
  readonly left: ResultsLeft;
  /** Whether it was stopped before its end: it can be resumed. */
  readonly stopped: boolean;
  /** By file name, in the order of the pictures. */
  readonly failures: readonly { readonly name: string; readonly failure: Failure }[];
  /** What is to be known of pictures that were done: damaged, one page of several. */
  readonly warnings: readonly { readonly name: string; readonly warning: PictureWarning }[];
  /** What the files of pictures that were done do not have of them. */
  readonly losses: readonly { readonly name: string; readonly loss: ExportLoss }[];
}

/** Most pictures that one line names. */
const namedAtOnce = 3;

/** What is to be said of pictures, a line for each sentence: of a thousand pictures many may lose the same. */
export function linesOf(
  said: readonly { readonly name: string; readonly text: string }[],
  language: Language,
): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { name, text } of said) {
    const all = names.get(text);
    if (all) all.push(name);
    else names.set(text, [name]);
  }
  return [...names].map(([text, all]) => {
    const first = all.slice(0, namedAtOnce).join(', ');
    const more = all.length - namedAtOnce;
    if (more <= 0) return `${first}: ${text}`;
    return language === 'en' ? `${first} and ${more} more: ${text}` : `${first} 等 ${all.length} 张：${text}`;
  });
}
