// Playwright's runner for the tests that drive the real app: `editor` in the checkout, `packaged` the packed program.
// One worker: the app under test wants the processor to itself.

import { defineConfig } from 'playwright/test';

export default defineConfig({
  testDir: '.',
  outputDir: '../../out/e2e',
  globalSetup: './globalSetup.ts',
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [
    ['list'],
    ...(process.env.CONVOLVE_E2E_REPORT ? [['json', { outputFile: process.env.CONVOLVE_E2E_REPORT }] as const] : []),
  ],
  projects: [
    { name: 'editor', testIgnore: 'packaged.test.ts' },
    { name: 'packaged', testMatch: 'packaged.test.ts' },
  ],
});
