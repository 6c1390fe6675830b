// What a command's exit code says: 0 done, 1 the work failed, 2 the command line is wrong, 3 something cannot be read,
// 4 something cannot be written, 5 two backends differ, 130 stopped by Ctrl-C.

import { ConvolveError, type ErrorCode, type Failure, failureOf } from '../../core/errors';

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  unreadable: 3,
  unwritable: 4,
  different: 5,
  stopped: 130,
} as const;
/** What a command was doing: understanding its own words, reading a file, or writing one. */
export type Phase = 'words' | 'read' | 'write';

const usageCodes: readonly ErrorCode[] = ['usage', 'invalidKernel', 'invalidFormula'];
const targetCodes: readonly ErrorCode[] = ['targetFolderMissing', 'targetUnwritable', 'targetFull'];

/** A failure with the phase that it happened in. */
class PhaseError extends ConvolveError {
  constructor(
    readonly phase: Phase,
    failure: Failure,
    cause: unknown,
  ) {
    super(failure, cause);
  }
}

/** Marks what goes wrong in `work` with its phase; the innermost mark counts. */
export async function inPhase<T>(phase: Phase, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw thrown instanceof PhaseError ? thrown : new PhaseError(phase, failureOf(thrown), thrown);
  }
}

/** The exit code for whatever a command threw. */
export function exitCodeOf(thrown: unknown): number {
  const { code } = failureOf(thrown);
  if (code === 'cancelled') return exitCodes.stopped;
  if (usageCodes.includes(code)) return exitCodes.usage;
  if (targetCodes.includes(code)) return exitCodes.unwritable;
  if (!(thrown instanceof PhaseError)) return exitCodes.failed;
  const codes = { words: exitCodes.usage, read: exitCodes.unreadable, write: exitCodes.unwritable };
  return codes[thrown.phase];
}
