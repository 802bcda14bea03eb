import { expect, test } from 'vitest';
import { pairwiseCombinations, smallest } from '../scripts/matrix/combinations.js';
import { FIRST, ownTests, problemsOf, reading } from '../scripts/matrix/standard.js';
import { chooseLayers } from '../src/catalog/choose-layers.js';
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

test('a service of providers alone opens accounts at the first sign-in, and passes its own tests', async () => {
  const chosen = { methods: ['oauth'], oauthProviders: ['google', 'github'], name: 'providers' };
  const combination = { ...smallest(catalog), ...chosen };
  expect(await problemsOf(catalog, combination, [...reading, ...ownTests])).toEqual([]);
  // Nor does it have a form for them: nobody could sign in to such an account.
  const choose = () => chooseLayers(catalog, { ...combination, features: ['registration'] });
  expect(choose).toThrow('nobody could sign in to an account created with it');
});

test('administration holds the standard where no other feature has a setting', async () => {
  const chosen = { features: ['registration', 'roles', 'admin'], name: 'admin-alone' };
  const combination = { ...smallest(catalog), ...chosen };
  expect(await problemsOf(catalog, combination, reading)).toEqual([]);
});
