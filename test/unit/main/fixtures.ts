// The fixture pictures' manifest, typed, and where the files are.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

export const fixturesFolder = path.resolve(import.meta.dirname, '..', '..', 'fixtures');

const pair = z.tuple([z.number(), z.number()]);
const rowSchema = z.object({
  file: z.string(),
  expect: z.enum(['open', 'error', 'either', 'optional', 'data']),
  what: z.string(),
  stored: pair.optional(),
  display: pair.optional(),
  orientation: z.number().optional(),
  orientation_optional: z.boolean().optional(),
  pixels: z
    .object({
      max: z.number(),
      channels: z.number(),
      /** x, y, then each channel's value in native depth. */
      probes: z.array(z.array(z.number().nullable())).optional(),
      rgba8_sha256: z.string().optional(),
    })
    .optional(),
});
export type Fixture = z.infer<typeof rowSchema>;

export const fixtures: readonly Fixture[] = z
  .object({ files: z.array(rowSchema) })
  .parse(JSON.parse(readFileSync(path.join(fixturesFolder, 'manifest.json'), 'utf8'))).files;

export const fixturePath = (file: string): string => path.join(fixturesFolder, file);
