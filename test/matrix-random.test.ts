import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { randomCombination } from '../scripts/matrix/combinations.js';
import { problemsOf, reading } from '../scripts/matrix/standard.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';

/**
 * What pairs cannot find: choices that fail in threes or more. Each run picks others; a failing one is reproduced
 * with the seed in its name: `npm run matrix -- --random 1 --seed <seed>`.
 */
const { MATRIX_RANDOM = '12', MATRIX_SEED = String(randomInt(1_000_000_000)) } = process.env;
const catalog = readCatalog(templatesFolder);

for (let index = 0; index < Number(MATRIX_RANDOM); index += 1) {
  const seed = Number(MATRIX_SEED) + index;
  const combination = randomCombination(catalog, seed);
  const name = `seed ${seed}: ${combination.name} with ${combination.packageManager} is right`;
  test.concurrent(name, async () => {
    const folder = { ...combination, name: `seed-${seed}` };
    expect(await problemsOf(catalog, folder, reading)).toEqual([]);
  });
}
