import { expect, test } from 'vitest';
import { coveringCombinations, pairwiseCombinations } from '../scripts/matrix/combinations.js';
import { allTests, FIRST, problemsOf, reading, starting } from '../scripts/matrix/standard.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';

const catalog = readCatalog(templatesFolder);

for (const [index, combination] of pairwiseCombinations(catalog).entries()) {
  // matrix.test.ts reads the first ones.
  const checks = index < FIRST ? starting : [...reading, ...starting];
  test.concurrent(`${combination.name} is right, starts and publishes its routes`, async () => {
    expect(await problemsOf(catalog, combination, checks)).toEqual([]);
  });
}

for (const combination of coveringCombinations(catalog)) {
  test.concurrent(`${combination.name} passes its own tests`, async () => {
    expect(await problemsOf(catalog, combination, allTests)).toEqual([]);
  });
}
