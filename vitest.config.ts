import { defineConfig } from 'vitest/config';

/** How long a condition is waited for where a test does not say: long enough for a machine with much else to do. */
const expect = { poll: { timeout: 15_000 } };

export default defineConfig({
  test: {
    // As many files at once as there are cores: most of the time they wait for chains, databases and pages.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          expect,
          include: ['{packages,apps}/*/src/**/*.test.ts'],
        },
      },
      {
        test: {
          // Real chains, a real database, real processes: everything that needs more than memory.
          name: 'integration',
          expect,
          include: ['{packages,apps}/*/test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // Every screen in a real browser, on the product as `npm start` runs it.
          name: 'web',
          expect,
          include: ['e2e/web/**/*.test.ts'],
          globalSetup: ['e2e/web/lib/build-web.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // The product's promises under load, one file at a time, after all others.
          name: 'e2e',
          expect,
          include: ['e2e/*.test.ts'],
          globalSetup: ['e2e/web/lib/build-web.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
