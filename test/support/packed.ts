import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemOf, repositoryFolder } from '../../scripts/matrix/child.js';

/**
 * Packs the generator as npm would publish it and unpacks it outside this repository, where none of its packages are.
 * @returns a folder with the unpacked `package/` in it
 */
export async function unpackPublished(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'create-auth-service-packed-'));
  const pack = ['npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const problem =
    (await problemOf(repositoryFolder, pack)) ??
    (await problemOf(folder, ['tar', '-xzf', readdirSync(folder)[0] ?? '']));
  if (problem) throw new Error(problem);
  return folder;
}
