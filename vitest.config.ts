import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { memoryFolder } from './test/support/memory-folder.js';

/** What `npm test` leaves to `npm run test:all`: they emit, build and start whole services, on servers and Node versions. */
const slow = [
  'test/add-each.test.ts',
  'test/compose.test.ts',
  'test/corpus-combinations.test.ts',
  'test/edited-as-suggested.test.ts',
  'test/frameworks.test.ts',
  'test/full-disk.test.ts',
  'test/interruptions.test.ts',
  'test/node-versions.test.ts',
  'test/pages/*.test.ts',
  'test/parsers-in-front.test.ts',
  'test/real-changes.test.ts',
  'test/take-out.test.ts',
  'test/upgrade/merge-fuzz.test.ts',
  'test/scripts/add-layer.test.ts',
  'test/scripts/demo.test.ts',
  'test/scripts/play.test.ts',
  'test/scripts/pull.test.ts',
];

// Begun first, since it mostly waits: without times of an earlier run, projects go by name and files by size.
const first = ['test/upgrades.test.ts'];

// They emit dozens of services, or whole ones. The first is in `npm test` too.
const matrix = ['test/matrix.test.ts'];
const whole = [
  'test/instances.test.ts',
  'test/matrix-random.test.ts',
  'test/matrix-whole.test.ts',
  'test/package-managers.test.ts',
];

const memory = memoryFolder();

const minutes = { testTimeout: 600_000, hookTimeout: 600_000 };

const slowly = {
  ...minutes,
  // A file a processor: each mostly waits for one service or program.
  maxWorkers: availableParallelism(),
  maxConcurrency: 1,
  sequence: { groupOrder: 2 },
};

export default defineConfig({
  test: {
    // Without a terminal each test is told of when it ends: some files take minutes.
    reporters: process.stdout.isTTY ? ['default'] : ['verbose'],
    globalSetup: 'test/support/built-package.ts',
    // The command waits until the disk has what it writes; package managers write gigabytes.
    env: memory ? { TMPDIR: memory } : {},
    // What the matrix has bundled runs as it is.
    server: { deps: { external: [/\/playground\/bundle-/] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'generator',
          include: ['test/**/*.test.ts'],
          // What is laid over emitted services runs there.
          exclude: [
            ...first,
            ...slow,
            ...matrix,
            ...whole,
            'test/laid-on/**',
            'test/laid-on-with/**',
            '**/node_modules/**',
          ],
          // On a busy machine some take ten times as long: this ends only what hangs.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // More than processors: these tests mostly wait for programs that they start.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...minutes,
          name: 'matrix',
          include: matrix,
          maxConcurrency: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { ...slowly, name: 'first', include: first } },
      { extends: true, test: { ...slowly, name: 'slow', include: slow } },
      {
        extends: true,
        test: {
          name: 'whole',
          // Six minutes for the own tests of a full service; on a machine at half speed, twice that.
          testTimeout: 1_200_000,
          hookTimeout: 1_200_000,
          include: whole,
          // One file waits for package registries while another tests services.
          maxWorkers: availableParallelism(),
          maxConcurrency: availableParallelism(),
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
