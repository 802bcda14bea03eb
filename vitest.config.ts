import { defineConfig } from 'vitest/config';
import { parallelism } from './scripts/matrix/runs.js';

// They emit, build and start whole services and measure time in them: one after the other, and after all else.
const services = [
  'test/add-each.test.ts',
  'test/corpus-combinations.test.ts',
  'test/corpus.test.ts',
  'test/real-changes.test.ts',
  'test/frameworks.test.ts',
  'test/instances.test.ts',
  'test/life-goes-on.test.ts',
  'test/matrix.test.ts',
  'test/mysql.test.ts',
  'test/node-versions.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: 'test/support/built-package.ts',
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'generator',
          include: ['test/**/*.test.ts'],
          exclude: services,
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'services',
          include: services,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
          maxConcurrency: parallelism().jobs,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
