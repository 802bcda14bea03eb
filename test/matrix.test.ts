import { expect, test } from 'vitest';
import { installProblem } from '../scripts/matrix/real-install.js';
import { complaint, hasFailed } from '../scripts/matrix/report.js';
import { runCombination } from '../scripts/matrix/run-combination.js';
import { parallelism, plannedRuns } from '../scripts/matrix/runs.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';

const catalog = readCatalog(templatesFolder);
const { workers } = parallelism();

// `npm run matrix -- --pairwise --tests` runs all own tests of all these services, which takes an hour on two cores.
const selection = { pairwise: true, brief: true };

for (const { combination, names, share } of plannedRuns(catalog, selection)) {
  // As many side by side as `maxConcurrency` in vitest.config.ts allows.
  test.concurrent(`${combination.name} holds the standard of hand-written code`, async () => {
    const outcome = await runCombination(catalog, combination, names, { workers, share });
    expect(hasFailed(outcome), complaint(outcome)).toBe(false);
  });
}

test('a service outside this repository installs, validates, builds and starts', async () => {
  expect(await installProblem(selection)).toBeUndefined();
});
