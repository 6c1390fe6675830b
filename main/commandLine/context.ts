// What every command of the command line has: where its words go and what stops it.

import { exitCodes } from './exitCodes';

/** What a command says (lines on standard output, notes on standard error) and how it ended. */
export interface Outcome {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  readonly exitCode: number;
}

export interface CommandContext {
  readonly signal: AbortSignal;
  /** Says how the command ended. */
  finish(outcome: Outcome): void;
  /** A line on standard output while the command runs. */
  print(line: string): void;
}

export const done = (lines: readonly string[], notes: readonly string[] = []): Outcome => ({
  lines,
  notes,
  exitCode: exitCodes.done,
});

/** Shows words on one line that is written over in a terminal, or as lines of their own; null ends it. */
export function progressShower({
  progress,
  json,
}: {
  readonly progress?: boolean | undefined;
  readonly json?: boolean | undefined;
}): (text: string | null) => void {
  const { stderr } = process;
  if (!progress && (!stderr.isTTY || json)) return () => undefined;
  let shown = '';
  return (words) => {
    const text = words ?? '';
    if (text === shown) return;
    shown = text;
    if (stderr.isTTY) stderr.write(`\r\u001b[K${text}`);
    else if (text !== '') stderr.write(`${text}\n`);
  };
}

export const percentText = (share: number) => `${Math.floor(share * 100)} %`;
