import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Hashing passwords is slow on purpose, and more so on a busy machine.
    testTimeout: 30_000,
  },
});
