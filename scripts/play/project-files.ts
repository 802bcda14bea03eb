import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageManagers } from '../../src/answers/package-managers.js';
import { recordFolder } from '../../src/plan/manifest.js';

/** Added to the name of a file that was edited here while its template changed. */
export const editedEnding = '.edited';

const lockfiles = Object.values(packageManagers).map(({ lockfile }) => lockfile);
const notWritten = [recordFolder, '.git', 'node_modules', 'data', 'dist', 'coverage', '.env'];
const skipped = new Set<string>([...notWritten, ...lockfiles]);

/** The paths of what people write in a project, with slashes; not what tools make there. */
export function projectFiles(folder: string, prefix = ''): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name) && !/\.(edited|log|tsbuildinfo)$/.test(name))
    .flatMap((entry) => {
      const path = prefix + entry.name;
      if (entry.isDirectory()) return projectFiles(folder, `${path}/`);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

/** @returns undefined if there is no such file */
export function contentOf(folder: string, path: string): Buffer | undefined {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** Whether both are there with the same bytes, or both are not there. */
export function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}
