// The published schema of project files is the one of the parser.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { projectJsonSchema, projectSchemaFile } from '../../../scripts/projectSchema';

it('docs/project.schema.json is up to date; `npx tsx scripts/projectSchema.ts` writes it', () => {
  expect(readFileSync(projectSchemaFile, 'utf8')).toBe(projectJsonSchema());
});
