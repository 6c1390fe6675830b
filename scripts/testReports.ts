// Reads what the test runners report to machines (Vitest's and Playwright's JSON, CTest's JUnit) into one form.

import { existsSync, readFileSync } from 'node:fs';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Names of the tests that did not run here; a name says what they need. */
  readonly skips: readonly string[];
  /** Names of the tests that failed. */
  readonly failures: readonly string[];
}

export const noCounts: Counts = { passed: 0, failed: 0, skips: [], failures: [] };

/** One check without cases of its own, such as a type check. */
export function oneCheck(name: string, passed: boolean): Counts {
  return passed ? { ...noCounts, passed: 1 } : { ...noCounts, failed: 1, failures: [name] };
}

/** A check that could not be made here, and why. */
export const oneSkipped = (name: string): Counts => ({ ...noCounts, skips: [name] });

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skips: [...a.skips, ...b.skips],
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
        skips: suite.assertionResults
          .filter(({ status }) => status !== 'passed' && status !== 'failed')
          .map(({ fullName }) => fullName),
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
    skips: cases.filter((match) => match[2] === 'disabled').map((match) => match[1] ?? ''),
    failures: failures.map((match) => match[1] ?? ''),
  };
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly errors: readonly { readonly message?: string }[];
  readonly suites: readonly PlaywrightSuite[];
}
interface PlaywrightSpec {
  readonly title: string;
  readonly ok: boolean;
  readonly tests?: readonly {
    readonly status: string;
    readonly annotations: readonly { readonly type: string; readonly description?: string }[];
  }[];
}
interface PlaywrightSuite {
  readonly title: string;
  readonly specs: readonly PlaywrightSpec[];
  readonly suites?: readonly PlaywrightSuite[];
}

const failedSpecs = (suite: PlaywrightSuite): readonly string[] => [
  ...suite.specs.filter(({ ok }) => !ok).map(({ title }) => `${suite.title}: ${title}`),
  ...(suite.suites ?? []).flatMap(failedSpecs),
];

const skippedSpecs = (suite: PlaywrightSuite): readonly string[] => [
  ...suite.specs.flatMap(({ title, tests = [] }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(({ annotations }) => {
        const reason = annotations.find(({ type }) => type === 'skip')?.description;
        return `${suite.title}: ${title}${reason === undefined ? '' : ` (${reason})`}`;
      }),
  ),
  ...(suite.suites ?? []).flatMap(skippedSpecs),
];

/** Playwright's `json` reporter. Errors outside any test (a file that does not load) count as failed tests. */
export function readPlaywrightReport(file: string): Counts {
  if (!existsSync(file)) return noCounts;
  const { stats, errors, suites } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skips: suites.flatMap(skippedSpecs),
    failures: [...suites.flatMap(failedSpecs), ...errors.map(({ message }) => message ?? 'an error outside any test')],
  };
}
