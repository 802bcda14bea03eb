import { defineConfig } from 'vitest/config';

const isolated = '{src,test}/**/*.isolated.test.ts';

export default defineConfig({
  test: {
    // Some work is slow on purpose, such as hashing, and more so on a busy machine: this ends only what hangs.
    testTimeout: 60_000,
    globalSetup: 'test/global-setup.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [isolated],
          // Modules are loaded once for many files: a run takes half the time. Each test has a service of its own.
          isolate: false,
        },
      },
      {
        extends: true,
        // What replaces a module (vi.mock) would meet the one that another file has loaded.
        test: { name: 'isolated', include: [isolated] },
      },
    ],
  },
});
