// Mutated pictures neither crash nor hang the decoder nor let it grow: each is decoded, or refused with a reason.
// CONVOLVE_MUTATIONS sets how many (2000 for the full run).

import { expect, it } from 'vitest';
import { fixturesFolder } from '../../unit/main/fixtures';
import { bundleProgram, runProgram } from '../programs';
import type { MutationReport } from './mutations.program';

const count = Number(process.env.CONVOLVE_MUTATIONS ?? 280);
const seed = Number(process.env.CONVOLVE_MUTATION_SEED ?? 1);

it(`${count} mutated pictures are decoded or refused, in time and in bounded memory`, async () => {
  const bundle = await bundleProgram('main/mutations');
  const end = await runProgram(process.execPath, [bundle, fixturesFolder, String(count), String(seed)]);
  expect(end, end.errors).toMatchObject({ code: 0, signal: null });
  const report = JSON.parse(end.output) as MutationReport;
  const refused = Object.values(report.refused).reduce((sum, value) => sum + value, 0);
  expect(report.decoded + refused).toBe(count);
  // Both kinds are met, so that the test tests something.
  expect(report.decoded).toBeGreaterThan(count / 10);
  expect(refused).toBeGreaterThan(count / 10);
  expect(report.slowestMilliseconds).toBeLessThan(20_000);
  const [early, , late] = report.resident;
  expect(late - early).toBeLessThan(300e6);
}, 600_000);
