import { join } from 'node:path';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { type Combination, largest } from '../../scripts/matrix/combinations.js';
import { bundleProblem } from '../../scripts/matrix/compiler.js';
import { emit } from '../../scripts/matrix/emit.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';

/**
 * Emits the service with everything into `playground/<place>/`, where this repository's packages are found, and
 * builds it. `choice` replaces the first framework or database. @returns its folder
 */
export async function buildService(
  place: string,
  choice: Partial<Pick<Combination, 'framework' | 'database'>> = {},
): Promise<string> {
  const everything = { ...largest(readCatalog()), ...choice };
  const folder = await emit(everything, join(repositoryFolder, 'playground', place));
  const problem = await bundleProblem(folder);
  if (problem) throw new Error(problem);
  return folder;
}
