// The project file, `.convolve`: a picture, or where it is, and the stack over it, as JSON with a version of its own.
// docs/project-file.md describes it and docs/project.schema.json is its schema. Pure: text in, text out.

import { z } from 'zod';
import type { Stack } from './document';
import { ConvolveError, failureOf, refuseNewer } from './errors';
import { stackSchema } from './filterSchema';
import { readableJson } from './readableJson';
import { newestStackVersion, stackVersion } from './stackVersion';

export const projectFormat = 'convolve-project';
/** The newest version that is read; written is that of the stack (core/stackVersion). */
export const projectVersion = newestStackVersion;
export const projectExtension = '.convolve';

/** Longest path or name that a project may hold, in characters. */
const maximumPathLength = 32_768;
const pathSchema = z.string().min(1).max(maximumPathLength);

export const projectPictureSchema = z.object({
  /** File name for people; never used as a path. */
  name: z.string().min(1).max(1024).describe('File name of the picture, for people.'),
  path: pathSchema.nullable().describe('Absolute path of the picture when it was saved; null where it had none.'),
  relativePath: pathSchema
    .nullable()
    .describe('Path from the folder of the project to the picture, with / between folders; null on another disk.'),
  bytes: z.int().min(0).describe('Size of the picture file in bytes.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the picture file, 64 hexadecimal digits.'),
  width: z.int().min(1).describe('Width in pixels, as shown.'),
  height: z.int().min(1).describe('Height in pixels, as shown.'),
  page: z
    .int()
    .min(1)
    .optional()
    .describe('Page or frame of the picture file, from 1; the first where it is left out.'),
  embedded: z.string().optional().describe('The bytes of the picture file in base64, where it is kept in the project.'),
});
export type ProjectPicture = Readonly<z.infer<typeof projectPictureSchema>>;

export const projectSchema = z.object({
  format: z.literal(projectFormat),
  version: z.int().min(1).max(projectVersion),
  /** null: a stack without a picture, to be used on any. */
  picture: projectPictureSchema.nullable(),
  stack: stackSchema.describe('The filters, first to last.'),
});

export interface Project {
  readonly picture: ProjectPicture | null;
  readonly stack: Stack;
}

/** A project as the text of its file, in pieces: indented, but each list of numbers on one line, and a line break at the end. */
export function projectPieces({ picture, stack }: Project): Iterable<string> {
  return readableJson({ format: projectFormat, version: stackVersion(stack), picture, stack });
}

const damaged = (subject: string, actual: string, cause?: unknown) =>
  new ConvolveError({ code: 'projectDamaged', subject, actual }, cause);

/**
 * Reads a project's text; `subject` names the file in failures. Throws `fileTooNew` for a version this program does not
 * know, and `projectDamaged` with the place and what is wrong there.
 */
export function parseProject(text: string, subject: string): Project {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    throw damaged(subject, failureOf(thrown).actual ?? '', thrown);
  }
  const { format } = Object(value) as { readonly format?: unknown };
  if (format !== projectFormat) throw damaged(subject, 'not the JSON of a project');
  refuseNewer(value, projectFormat, projectVersion, subject);
  const parsed = projectSchema.safeParse(value);
  if (parsed.success) return { picture: parsed.data.picture, stack: parsed.data.stack };
  const issue = parsed.error.issues[0];
  throw damaged(subject, `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`);
}
