// The stages of `npm test`, in order: what each runs, and how it counts. A stage returns its counts and what to show when
// something failed; it never stops the stages after it.

import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildNativeTests, buildSanitizedTests, nativeFolder } from './build';
import { type CommandResult, command, lastLines, nodeCommand } from './command';
import { say } from './console';
import { type ElectronRuntime, installedRuntime } from './electronRuntime';
import { checkNativeFormat } from './formatCheck';
import { cacheFolder, inRoot } from './paths';
import {
  addCounts,
  type Counts,
  noCounts,
  oneCheck,
  oneSkipped,
  readCtestReport,
  readPlaywrightReport,
  readVitestReport,
} from './testReports';

export interface StageOutcome {
  readonly counts: Counts;
  /** Shown when the stage failed. */
  readonly details: string;
}

export interface Stage {
  /** Name on the command line: `npm test -- unit native`. */
  readonly name: string;
  readonly title: string;
  /** A stage is stopped and fails after this. */
  readonly limitMinutes: number;
  run(signal: AbortSignal): Promise<StageOutcome>;
}

const reportFolder = inRoot('out', 'reports');

function freshReport(name: string): string {
  mkdirSync(reportFolder, { recursive: true });
  const file = path.join(reportFolder, name);
  rmSync(file, { force: true });
  return file;
}

/** A runner that ended badly without a failed test (it crashed, or was stopped) is itself a failure. */
function outcome(counts: Counts, result: CommandResult, what: string): StageOutcome {
  const crashed = result.code !== 0 && counts.failed === 0;
  return {
    counts: crashed ? addCounts(counts, oneCheck(`${what} ended with code ${result.code}`, false)) : counts,
    details: lastLines(result.output, 120),
  };
}

interface VitestOptions {
  /** What runs Vitest: this Node when left out. */
  readonly program?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly exclude?: readonly string[];
}

async function vitest(
  project: string,
  reportName: string,
  signal: AbortSignal,
  { program = process.execPath, environment = process.env, exclude = [] }: VitestOptions = {},
): Promise<StageOutcome> {
  const report = freshReport(reportName);
  const result = await command(
    program,
    [
      inRoot('node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--project',
      project,
      ...exclude.map((pattern) => `--exclude=${pattern}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { signal, environment: { ...environment, NO_COLOR: '1' } },
  );
  return outcome(readVitestReport(report), result, 'Vitest');
}

async function playwright(project: string, reportName: string, signal: AbortSignal): Promise<StageOutcome> {
  const report = freshReport(reportName);
  const result = await nodeCommand(
    'playwright/cli.js',
    ['test', '--config', 'test/e2e/playwright.config.ts', '--project', project],
    { signal, environment: { ...process.env, NO_COLOR: '1', CONVOLVE_E2E_REPORT: report } },
  );
  return outcome(readPlaywrightReport(report), result, 'Playwright');
}

async function ctest(folder: string, reportName: string, signal: AbortSignal): Promise<StageOutcome> {
  const report = freshReport(reportName);
  const words = ['--parallel', '2', '--output-on-failure', '--output-junit', report];
  const result = await command('ctest', ['--test-dir', folder, ...words], { signal });
  return outcome(readCtestReport(report), result, 'CTest');
}

/** On Linux and macOS: Windows has no thread sanitizer. */
async function sanitize(signal: AbortSignal): Promise<StageOutcome> {
  const outcomes: StageOutcome[] = [];
  for (const sanitizer of ['address', 'thread'] as const) {
    const folder = await buildSanitizedTests(sanitizer);
    outcomes.push(await ctest(folder, `native-${sanitizer}.xml`, signal));
  }
  return {
    counts: outcomes.map(({ counts }) => counts).reduce(addCounts),
    details: outcomes.map(({ details }) => details).join('\n'),
  };
}

const sanitizeStage: Stage = {
  name: 'sanitize',
  title: 'Native under sanitizers: address, undefined behaviour, threads (CTest)',
  limitMinutes: 20,
  run: sanitize,
};

/** Other plans each time; the seed, with which they can be run again, is said. */
async function fuzz(signal: AbortSignal): Promise<StageOutcome> {
  await buildNativeTests();
  const seed = String(randomInt(2 ** 32));
  const program = inRoot(nativeFolder, 'test', 'fuzz', 'plan_fuzz');
  const { code, output } = await command(program, ['--seconds', '60', '--seed', seed], { signal });
  say('Random plans', `seed ${seed}: ${lastLines(output, 1)}`);
  return { counts: oneCheck(`plan_fuzz --seed ${seed}`, code === 0), details: lastLines(output, 120) };
}

interface CheckOutcome {
  readonly counts: Counts;
  readonly text: string;
}
interface Check {
  readonly name: string;
  run(): Promise<CheckOutcome>;
}

async function checks(steps: readonly Check[]): Promise<StageOutcome> {
  let counts = noCounts;
  const details: string[] = [];
  for (const step of steps) {
    const outcome = await step.run();
    counts = addCounts(counts, outcome.counts);
    if (outcome.text !== '') details.push(`${step.name}\n${outcome.text}`);
  }
  return { counts, details: details.join('\n') };
}

/** A program that is right when it ends with 0. */
const checkByProgram = (name: string, run: () => Promise<CommandResult>): Check => ({
  name,
  run: async () => {
    const { code, output } = await run();
    return { counts: oneCheck(name, code === 0), text: code === 0 ? '' : lastLines(output, 120) };
  },
});

async function checkLayout(): Promise<CheckOutcome> {
  const outcome = await checkNativeFormat();
  switch (outcome.kind) {
    case 'right':
      return { counts: oneCheck('clang-format', true), text: '' };
    case 'wrong':
      return { counts: oneCheck('clang-format', false), text: outcome.findings };
    case 'unchecked':
      return { counts: oneSkipped(`clang-format: ${outcome.reason}`), text: '' };
  }
}

/** Keeps what it learned in .cache/, so that the next check looks only at what changed. */
function typeCheck(name: string, project: string, signal: AbortSignal): Check {
  const memory = path.join(cacheFolder, `types-${project.replaceAll('/', '-')}.tsbuildinfo`);
  const words = ['--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', memory];
  return checkByProgram(name, () => nodeCommand('typescript/bin/tsc', words, { signal }));
}

function runtimeOrFail(): ElectronRuntime {
  const runtime = installedRuntime();
  if (!runtime) throw new Error('there is no Electron runtime');
  return runtime;
}

export const stages: readonly Stage[] = [
  {
    name: 'format',
    title: 'Format and lint (Biome, clang-format)',
    limitMinutes: 3,
    run: (signal) =>
      checks([
        checkByProgram('Biome', () => nodeCommand('@biomejs/biome/bin/biome', ['check', '.'], { signal })),
        { name: 'clang-format', run: checkLayout },
      ]),
  },
  {
    name: 'types',
    title: 'Types (tsc)',
    limitMinutes: 5,
    run: (signal) =>
      checks([
        typeCheck('tsc, everything', 'tsconfig.json', signal),
        typeCheck('tsc, core/ without DOM and Node', 'core/tsconfig.json', signal),
      ]),
  },
  { name: 'unit', title: 'Unit (Vitest)', limitMinutes: 5, run: (signal) => vitest('unit', 'unit.json', signal) },
  {
    name: 'native',
    title: 'Native (CTest)',
    limitMinutes: 20,
    run: async (signal) => {
      await buildNativeTests();
      return ctest(nativeFolder, 'native.xml', signal);
    },
  },
  ...(process.platform === 'win32' ? [] : [sanitizeStage]),
  {
    name: 'fuzz',
    title: 'Random plans against the reference (plan_fuzz)',
    limitMinutes: 10,
    run: fuzz,
  },
  {
    name: 'addon',
    title: 'Addon, main and the command line, in Node and in Electron (Vitest)',
    limitMinutes: 10,
    run: (signal) => vitest('addon', 'addon-node.json', signal),
  },
  {
    name: 'addon-electron',
    title: "Addon in Electron's Node (Vitest)",
    limitMinutes: 10,
    // The addon's own tests: those of main and of the command line start an Electron by themselves where they need one.
    run: (signal) =>
      vitest('addon', 'addon-electron.json', signal, {
        program: runtimeOrFail().executable,
        environment: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
        exclude: ['test/addon/cli/**', 'test/addon/main/**', 'test/addon/electron.test.ts'],
      }),
  },
  {
    name: 'e2e',
    title: 'End to end (Playwright, the app in the checkout)',
    limitMinutes: 15,
    run: (signal) => playwright('editor', 'e2e.json', signal),
  },
  {
    name: 'packaged',
    title: 'Packaged program (electron-builder, Playwright)',
    limitMinutes: 10,
    run: async (signal) => {
      const packed = await command(process.execPath, ['--import', 'tsx', inRoot('scripts', 'package.ts')], { signal });
      const build: StageOutcome = {
        counts: oneCheck('npm run package', packed.code === 0),
        details: lastLines(packed.output, 60),
      };
      if (packed.code !== 0) return build;
      const tests = await playwright('packaged', 'packaged.json', signal);
      return { counts: addCounts(build.counts, tests.counts), details: tests.details };
    },
  },
];
