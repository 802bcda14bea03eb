import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  plugins: [
    {
      // The tests pass whatever your policy says: they have one of their own.
      name: 'policy-of-the-tests',
      enforce: 'pre',
      resolveId(id, importer) {
        const file = importer && resolve(dirname(importer), id);
        return file === resolve(root, 'src/policy.js') ? resolve(root, 'test/policy.ts') : null;
      },
    },
  ],
  test: {
    // Some work is slow on purpose, such as hashing, and more so on a busy machine: this ends only what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ['test/database.ts', 'test/process.ts'],
    include: ['{client,src,test}/**/*.test.ts'],
    // Modules are loaded once for many files: a run takes half the time. Each test has a service of its own.
    isolate: false,
    // Vitest would leave one free.
    maxWorkers: availableParallelism(),
  },
});
