// What a command's exit code says, by one rule for all commands: it follows from what went wrong, not from when.

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

/** The rule in words, for the help of every command. */
export const exitCodeHelp = `Exit codes: 0 done; 1 the work failed, or a part of a batch; 2 the command line is wrong, or asks for what cannot be done
(a page that the picture does not have, a path that a filter cannot take, an engine that is not there, a size, receipt or
colour conversion that the result cannot have); 3 something cannot be read; 4 something cannot be written; 5 two backends
differ; 130 stopped by Ctrl-C.`;

/** Where words are understood, whatever goes wrong is theirs; where a file is read, what it holds is the file's. */
export type Phase = 'words' | 'read';

/** What is asked for is no words of this program, or cannot be had. */
const impossibleCodes: readonly ErrorCode[] = [
  'usage',
  'invalidKernel',
  'invalidFormula',
  'invalidArgument',
  'invalidPlan',
  'unsupported',
  'backendUnavailable',
  'imageTooLarge',
  'maskSize',
];
/** Of those, what may be the fault of a file that is read. */
const faultsOfFiles: readonly ErrorCode[] = ['unsupported', 'imageTooLarge'];
const targetCodes: readonly ErrorCode[] = [
  'targetFolderMissing',
  'targetUnwritable',
  'targetFull',
  'folderInUse',
  'libraryUnwritable',
];

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
  const phase = thrown instanceof PhaseError ? thrown.phase : null;
  if (code === 'cancelled') return exitCodes.stopped;
  if (targetCodes.includes(code)) return exitCodes.unwritable;
  const ofFile = phase === 'read' && faultsOfFiles.includes(code);
  if (phase === 'words' || (impossibleCodes.includes(code) && !ofFile)) return exitCodes.usage;
  return phase === 'read' ? exitCodes.unreadable : exitCodes.failed;
}
