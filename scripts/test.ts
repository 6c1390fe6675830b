// `npm test`: sets everything up, runs every stage (or the ones named), prints what ran and by name what did not, and
// ends with one line `N passed, N failed`. Exit code 1 when anything failed or a stage ran no test.

import { duration, runTask, say, TaskError } from './console';
import { describeRuntime } from './electronRuntime';
import { prepare } from './preparation';
import { addCounts, type Counts, noCounts, oneCheck } from './testReports';
import { type Stage, type StageOutcome, stages } from './testStages';

function chosenStages(names: readonly string[]): readonly Stage[] {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new TaskError(
      `There is no stage ${unknown.join(', ')}.`,
      `Stages: ${stages.map(({ name }) => name).join(', ')}.`,
      2,
    );
  }
  return stages.filter((stage) => names.length === 0 || names.includes(stage.name));
}

async function runStage(stage: Stage): Promise<Counts> {
  const started = performance.now();
  const limit = AbortSignal.timeout(stage.limitMinutes * 60_000);
  let result: StageOutcome;
  try {
    result = await stage.run(limit);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    result = { counts: oneCheck(`${stage.title}: ${message}`, false), details: '' };
  }
  let { counts } = result;
  if (limit.aborted) {
    counts = addCounts(counts, oneCheck(`${stage.title}: stopped after ${stage.limitMinutes} minutes`, false));
  }
  if (counts.passed + counts.failed === 0) counts = addCounts(counts, oneCheck(`${stage.title}: ran no test`, false));
  const skipped = counts.skips.length > 0 ? `, ${counts.skips.length} skipped` : '';
  const verdict = counts.failed > 0 ? `${counts.passed} passed, ${counts.failed} FAILED` : `${counts.passed} passed`;
  const time = duration(performance.now() - started);
  process.stdout.write(`${counts.failed > 0 ? '✗' : '✓'} ${stage.title}: ${verdict}${skipped} (${time})\n`);
  for (const skip of counts.skips) process.stdout.write(`    – skipped: ${skip}\n`);
  if (counts.failed > 0) {
    for (const failure of counts.failures) process.stdout.write(`    ✗ ${failure}\n`);
    process.stdout.write(`${result.details.replace(/^/gm, '    ')}\n`);
  }
  return counts;
}

await runTask(async () => {
  const started = performance.now();
  const chosen = chosenStages(process.argv.slice(2));
  const runtime = await prepare(['screen', 'test']).catch((thrown: unknown) => {
    process.once('exit', () => process.stdout.write('0 passed, 1 failed\n'));
    throw thrown;
  });
  let counts = noCounts;
  for (const stage of chosen) counts = addCounts(counts, await runStage(stage));
  say('Tests', `ran on Electron ${describeRuntime(runtime)}, Node ${process.versions.node}`);
  say('Tests', `took ${duration(performance.now() - started)}`);
  if (counts.skips.length > 0) say('Tests', `${counts.skips.length} skipped, named above with what they need`);
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
  return counts.failed === 0 ? 0 : 1;
});
