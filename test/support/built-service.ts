import { join } from 'node:path';
import { problemOf, repositoryFolder } from '../../scripts/matrix/child.js';
import { largest } from '../../scripts/matrix/combinations.js';
import { emit } from '../../scripts/matrix/emit.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';

/**
 * Emits the service with everything into `playground/<place>/`, where this repository's packages are found, and
 * compiles it. @returns its folder
 */
export async function buildService(place: string): Promise<string> {
  const everything = largest(readCatalog(templatesFolder));
  const folder = await emit(everything, join(repositoryFolder, 'playground', place));
  const problem = await problemOf(folder, ['tsc', '-p', 'tsconfig.build.json']);
  if (problem) throw new Error(problem);
  return folder;
}
