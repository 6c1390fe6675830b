// The counts at the end of `npm test` come from here: what each runner writes, and what must never count as passed.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCtestReport, readPlaywrightReport, readVitestReport } from '../../../scripts/testReports';

const folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function report(name: string, content: string | object): string {
  const file = path.join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const nothing = { passed: 0, failed: 0, skips: [], failures: [] };

describe('a report that was never written', () => {
  it.each([readVitestReport, readCtestReport, readPlaywrightReport])('%o counts nothing', (read) => {
    expect(read(path.join(folder, 'missing'))).toEqual(nothing);
  });
});

describe('Vitest', () => {
  const assertion = (status: string, fullName: string) => ({ status, fullName });

  it('counts tests of all files', () => {
    const file = report('vitest.json', {
      testResults: [
        { name: 'a', status: 'passed', assertionResults: [assertion('passed', 'one'), assertion('skipped', 'two')] },
        { name: 'b', status: 'failed', assertionResults: [assertion('failed', 'three'), assertion('todo', 'four')] },
      ],
    });
    expect(readVitestReport(file)).toEqual({ passed: 1, failed: 1, skips: ['two', 'four'], failures: ['three'] });
  });

  it('counts a file that did not load as a failure', () => {
    const file = report('broken.json', {
      testResults: [{ name: 'broken.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }],
    });
    expect(readVitestReport(file)).toEqual({ ...nothing, failed: 1, failures: ['broken.test.ts: no such module'] });
  });
});

describe('CTest', () => {
  it('tells run, failed, never started and disabled tests apart', () => {
    const file = report(
      'ctest.xml',
      `<testsuite name="Linux-c++" tests="4" failures="1" disabled="1" skipped="0">
         <testcase name="borders: mirror" classname="borders: mirror" time="0.01" status="run"><system-out>x</system-out></testcase>
         <testcase name="wrap" classname="wrap" time="0.01" status="fail"><failure message=""/></testcase>
         <testcase name="gone" classname="gone" time="0" status="notrun"><skipped message="Unable to find executable"/></testcase>
         <testcase name="later" classname="later" time="0" status="disabled"/>
       </testsuite>`,
    );
    expect(readCtestReport(file)).toEqual({ passed: 1, failed: 2, skips: ['later'], failures: ['wrap', 'gone'] });
  });
});

describe('Playwright', () => {
  it('counts nested suites and errors outside tests', () => {
    const file = report('playwright.json', {
      stats: { expected: 3, unexpected: 1, flaky: 0 },
      errors: [{ message: 'Cannot find module' }],
      suites: [
        {
          title: 'open.test.ts',
          specs: [
            { title: 'opens', ok: true, tests: [{ status: 'expected', annotations: [] }] },
            {
              title: 'waits',
              ok: true,
              tests: [{ status: 'skipped', annotations: [{ type: 'skip', description: 'needs Linux' }] }],
            },
          ],
          suites: [{ title: 'inner', specs: [{ title: 'fails', ok: false }] }],
        },
      ],
    });
    expect(readPlaywrightReport(file)).toEqual({
      passed: 3,
      failed: 2,
      skips: ['open.test.ts: waits (needs Linux)'],
      failures: ['inner: fails', 'Cannot find module'],
    });
  });
});
