import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Some work is slow on purpose, such as hashing, and more so on a busy machine.
    testTimeout: 30_000,
  },
});
