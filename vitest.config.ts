// Vitest's two projects: `unit` needs nothing but TypeScript; `addon` needs the built addon (npm run setup).

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.{ts,tsx}'],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'addon',
          include: ['test/addon/**/*.test.ts'],
          environment: 'node',
          // A process for each file: memory and event-loop measurements of one file do not see the work of another.
          pool: 'forks',
          maxWorkers: 1,
          testTimeout: 30_000,
        },
      },
    ],
  },
});
