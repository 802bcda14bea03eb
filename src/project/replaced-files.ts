import { dirname, join } from 'node:path';
import { UserError } from '../errors.js';
import { statsOf } from './stats-of.js';

/**
 * The project's files that the folder has already; writing replaces them.
 * @throws UserError if a folder is in a file's place, or a file or a link in a folder's: that would lose more than a file
 */
export function replacedFiles(folder: string, paths: string[]): string[] {
  const parents = new Set(paths.flatMap(parentsOf));
  for (const path of parents) {
    const stats = statsOf(join(folder, path));
    if (stats && !stats.isDirectory()) {
      throw new UserError(`${path} is in the way: the project needs a folder there.`);
    }
  }
  return paths.filter((path) => {
    const stats = statsOf(join(folder, path));
    if (stats && !stats.isFile()) {
      throw new UserError(`${path} is in the way: the project needs a file there.`);
    }
    return stats !== undefined;
  });
}

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === '.' ? [] : [parent, ...parentsOf(parent)];
}
