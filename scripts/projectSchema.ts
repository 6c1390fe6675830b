// The published JSON Schema of project files, made from the parser itself; run by itself it writes docs/project.schema.json.

import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { projectSchema } from '../core/project';
import { inRoot } from './paths';

export const projectSchemaFile = inRoot('docs', 'project.schema.json');

/** JSON Schema 2020-12 of what a reader accepts. */
export function projectJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(projectSchema, { io: 'input', reused: 'ref', unrepresentable: 'any' });
  return `${JSON.stringify({ $schema, title: 'Convolve project, version 1', ...schema }, null, 2)}\n`;
}

if (process.argv[1]?.endsWith('projectSchema.ts')) writeFileSync(projectSchemaFile, projectJsonSchema());
