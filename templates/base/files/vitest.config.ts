import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  plugins: [
    {
      // The tests pass whatever your policies say: they have their own below `test/`. Only `policy.test.ts` beside a policy gets yours.
      name: 'policy-of-the-tests',
      enforce: 'pre',
      resolveId(id, importer) {
        if (!importer || !id.endsWith('/policy.js')) return null;
        const policy = resolve(dirname(importer), id).replace(/\.js$/, '');
        if (resolve(importer) === `${policy}.test.ts`) return null;
        const ofTests = resolve(root, 'test', `${relative(resolve(root, 'src'), policy)}.ts`);
        return existsSync(ofTests) ? ofTests : null;
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
