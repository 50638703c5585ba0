import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,apps}/*/src/**/*.test.ts'],
        },
      },
      {
        test: {
          // Real chains, a real database, real processes: everything that needs more than memory.
          name: 'integration',
          include: ['{packages,apps}/*/test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // The whole product as `npm start` runs it.
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/web/lib/build-web.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
