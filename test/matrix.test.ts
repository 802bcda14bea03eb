import { expect, test } from 'vitest';
import { pairwiseCombinations, smallest } from '../scripts/matrix/combinations.js';
import { FIRST, ownTests, problemsOf, reading } from '../scripts/matrix/standard.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';

const catalog = readCatalog(templatesFolder);

for (const combination of pairwiseCombinations(catalog).slice(0, FIRST)) {
  test.concurrent(`${combination.name} holds the standard of hand-written code`, async () => {
    expect(await problemsOf(catalog, combination, reading)).toEqual([]);
  });
}

test('the smallest service passes its own tests', async () => {
  const combination = { ...smallest(catalog), name: 'smallest' };
  expect(await problemsOf(catalog, combination, ownTests)).toEqual([]);
});

test('a service of magic links alone opens accounts, and passes its own tests', async () => {
  const chosen = { methods: ['magic-link'], features: ['registration'], name: 'magic-link' };
  const combination = { ...smallest(catalog), ...chosen };
  expect(await problemsOf(catalog, combination, [...reading, ...ownTests])).toEqual([]);
});

test('administration holds the standard where no other feature has a setting', async () => {
  const chosen = { features: ['registration', 'roles', 'admin'], name: 'admin-alone' };
  const combination = { ...smallest(catalog), ...chosen };
  expect(await problemsOf(catalog, combination, reading)).toEqual([]);
});
