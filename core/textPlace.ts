// Places in a text a person wrote: the one way to refuse it, by line, column and token.

import { ConvolveError } from './errors';

/** Text as it is quoted in a message. */
export const quoted = (words: string): string => `“${words.length > 24 ? `${words.slice(0, 24)}…` : words}”`;

/** The word at an offset as it is quoted in a message, or `the end of the line` or `of the text`. */
function tokenAt(text: string, offset: number): string {
  const rest = text.slice(offset, offset + 200);
  if (rest.trim() === '' && offset + rest.length >= text.length) return 'the end of the text';
  if (/^[^\S\r\n]*[\r\n]/.test(rest)) return 'the end of the line';
  return quoted(/^\s*([\w.+\-−]+|\S)/u.exec(rest)?.[1] ?? rest);
}

/** Line and column of an offset, both from 1. CR, LF and CRLF end a line. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** ConvolveError `invalidKernel` whose subject is `line L, column C` and whose actual value is the token there. */
export function unreadable(text: string, offset: number, expected: string, actual?: string): ConvolveError {
  const { line, column } = lineAndColumn(text, offset);
  return new ConvolveError({
    code: 'invalidKernel',
    subject: `line ${line}, column ${column}`,
    expected,
    actual: actual ?? tokenAt(text, offset),
  });
}
