// Vitest's two projects: `unit` needs nothing but TypeScript; `addon` needs the built addon (npm run setup).

import { defineConfig } from 'vitest/config';

/** Plans do not follow what was measured on this computer. */
const shippedPlans = { CONVOLVE_COSTS: 'shipped' };

/** For what hangs; a busy computer takes its time. */
const patience = { testTimeout: 30_000, expect: { poll: { timeout: 20_000 } } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.{ts,tsx}'],
          environment: 'node',
          env: shippedPlans,
          // Files of one worker share what they import, which saves a third of the time: a test that replaces a module
          // (vi.mock) begins with vi.resetModules().
          isolate: false,
          // Vitest leaves one core free, which on two cores is half of them.
          maxWorkers: '100%',
          ...patience,
        },
      },
      {
        test: {
          name: 'addon',
          include: ['test/addon/**/*.test.ts'],
          environment: 'node',
          env: shippedPlans,
          // A process for each file: memory and event-loop measurements of one file do not see the work of another.
          pool: 'forks',
          maxWorkers: 1,
          ...patience,
        },
      },
    ],
  },
});
