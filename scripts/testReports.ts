// Reads what the test runners report to machines (Vitest's and Playwright's JSON, CTest's JUnit) into one form.

import { existsSync, readFileSync } from 'node:fs';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names of the tests that failed. */
  readonly failures: readonly string[];
}

export const noCounts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };

/** One check without cases of its own, such as a type check. */
export function oneCheck(name: string, passed: boolean): Counts {
  return passed ? { ...noCounts, passed: 1 } : { ...noCounts, failed: 1, failures: [name] };
}

/** A check that could not be made here. */
export const oneSkipped: Counts = { ...noCounts, skipped: 1 };

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
  };
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Vitest's `json` reporter. A file that could not even be loaded counts as one failed test. */
export function readVitestReport(file: string): Counts {
  if (!existsSync(file)) return noCounts;
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  return report.testResults
    .map((suite): Counts => {
      const failures = suite.assertionResults.filter(({ status }) => status === 'failed');
      const brokenFile = suite.status === 'failed' && failures.length === 0;
      return {
        passed: suite.assertionResults.filter(({ status }) => status === 'passed').length,
        failed: failures.length + (brokenFile ? 1 : 0),
        skipped: suite.assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed').length,
        failures: [
          ...failures.map(({ fullName }) => fullName),
          ...(brokenFile ? [`${suite.name}: ${suite.message ?? ''}`] : []),
        ],
      };
    })
    .reduce(addCounts, noCounts);
}

/** CTest's `--output-junit` file: one testcase element a test, whose status is run, fail, notrun or disabled. */
export function readCtestReport(file: string): Counts {
  if (!existsSync(file)) return noCounts;
  const cases = [...readFileSync(file, 'utf8').matchAll(/<testcase name="([^"]*)"[^>]*\bstatus="(\w+)"/g)];
  const failures = cases.filter((match) => match[2] !== 'run' && match[2] !== 'disabled');
  return {
    passed: cases.filter((match) => match[2] === 'run').length,
    failed: failures.length,
    skipped: cases.filter((match) => match[2] === 'disabled').length,
    failures: failures.map((match) => match[1] ?? ''),
  };
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly errors: readonly { readonly message?: string }[];
  readonly suites: readonly PlaywrightSuite[];
}
interface PlaywrightSuite {
  readonly title: string;
  readonly specs: readonly { readonly title: string; readonly ok: boolean }[];
  readonly suites?: readonly PlaywrightSuite[];
}

const failedSpecs = (suite: PlaywrightSuite): readonly string[] => [
  ...suite.specs.filter(({ ok }) => !ok).map(({ title }) => `${suite.title}: ${title}`),
  ...(suite.suites ?? []).flatMap(failedSpecs),
];

/** Playwright's `json` reporter. Errors outside any test (a file that does not load) count as failed tests. */
export function readPlaywrightReport(file: string): Counts {
  if (!existsSync(file)) return noCounts;
  const { stats, errors, suites } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: [...suites.flatMap(failedSpecs), ...errors.map(({ message }) => message ?? 'an error outside any test')],
  };
}
