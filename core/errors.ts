// Every way Convolve can fail, as data: the codes (the engine's are shared with native/engine/error.h; a test compares
// them), the error class that carries one, and the Result that crosses process boundaries in its place.

/** Codes the native engine can report. native/engine/error.h holds the same list in the same order. */
export const engineErrorCodes = [
  'cancelled',
  'invalidArgument',
  'invalidKernel',
  'invalidPlan',
  'imageTooLarge',
  'outOfMemory',
  'unsupported',
  'backendUnavailable',
  'deviceFailed',
  'internal',
] as const;

/** Codes that only TypeScript reports: files, the document, the command line. */
export const applicationErrorCodes = [
  'fileNotFound',
  'fileUnreadable',
  'fileIsFolder',
  'fileEmpty',
  'fileNotAnImage',
  'fileDamaged',
  'formatUnsupported',
  'decodeTimeout',
  'targetFolderMissing',
  'targetUnwritable',
  'targetFull',
  'folderInUse',
  'imageUnknown',
  'projectDamaged',
  'fileTooNew',
  'pictureChanged',
  'maskSize',
  'libraryUnwritable',
  'clipboardEmpty',
  'invalidFormula',
  'usage',
] as const;

export type EngineErrorCode = (typeof engineErrorCodes)[number];
export type ErrorCode = EngineErrorCode | (typeof applicationErrorCodes)[number];

/** What went wrong, as plain data that survives IPC. `subject` names the file or field; `expected` and `actual` say the rest. */
export interface Failure {
  readonly code: ErrorCode;
  readonly subject?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** The one error class of the project: a Failure that is thrown. */
export class ConvolveError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, cause?: unknown) {
    super(
      [
        failure.code,
        failure.subject,
        failure.expected && `expected ${failure.expected}`,
        failure.actual && `got ${failure.actual}`,
      ]
        .filter(Boolean)
        .join(': '),
      cause === undefined ? undefined : { cause },
    );
    this.name = 'ConvolveError';
    this.failure = failure;
  }
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

/** Turns anything thrown into a Failure; what is not a ConvolveError becomes `internal` with its message. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof ConvolveError) return thrown.failure;
  return { code: 'internal', actual: thrown instanceof Error ? thrown.message : String(thrown) };
}

/**
 * Throws fileTooNew for the JSON of a file of `format` that says a version above `known`, the last that this program reads;
 * `subject` names the file. What is in it is then no damage.
 */
export function refuseNewer(value: unknown, format: string, known: number, subject: string): void {
  const said = Object(value) as { readonly format?: unknown; readonly version?: unknown };
  if (said.format === format && typeof said.version === 'number' && said.version > known)
    throw new ConvolveError({ code: 'fileTooNew', subject, expected: String(known), actual: String(said.version) });
}

/** For the end of a switch over a union: a case that was forgotten does not compile. */
export function assertNever(value: never): never {
  throw new ConvolveError({ code: 'internal', actual: `unexpected value ${JSON.stringify(value)}` });
}
