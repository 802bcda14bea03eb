import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { UserError, unlessRefused } from '../errors.js';
import { nearest } from '../nearest.js';
import type { ManifestFile } from '../plan/manifest.js';

/**
 * The emitted files that the paths name, each a file or a folder; all files if there are no paths. A file that the team
 * has moved can be named by either path.
 * @param paths relative to the working directory, or to the root
 * @throws UserError for a path that names nothing emitted
 */
export function filesNamed(root: string, files: ManifestFile[], paths: string[]): ManifestFile[] {
  const names = files.flatMap(({ path, movedTo }) => [path, ...(movedTo ? [movedTo] : [])]);
  const named = pathsNamed(root, names, paths);
  return files.filter(({ path, movedTo }) => named.has(path) || (movedTo && named.has(movedTo)));
}

/** The same for any known paths. */
export function pathsNamed(root: string, known: string[], paths: string[]): ReadonlySet<string> {
  if (paths.length === 0) return new Set(known);
  const named = paths.flatMap((path) => {
    // Otherwise an unset variable in a script would name the whole project.
    if (path === '') throw new UserError('A path is empty.', 'Use . for all files.');
    const within = pathWithin(root, resolve(path));
    const found = known.filter((each) => isIn(each, within));
    if (found.length > 0) return found;
    // Reports name files from the project's root, wherever they are read.
    const fromRoot = known.filter((each) => isIn(each, path));
    if (fromRoot.length > 0) return fromRoot;
    const meant = nearest(within, known);
    throw new UserError(
      `${path} is neither a file that create-auth-service has made nor a folder with one.`,
      meant && `Did you mean ${slashed(relative('.', resolve(root, meant)))}?`,
    );
  });
  return new Set(named);
}

const unreal = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'];

/** A shell names a linked project by its link; `root` is where it really is. */
function pathWithin(root: string, path: string): string {
  const within = slashed(relative(root, path));
  if (!within.startsWith('../')) return within;
  const real = unlessRefused(unreal, path, () => realpathSync(path));
  return slashed(relative(root, real));
}

function isIn(path: string, fileOrFolder: string): boolean {
  return fileOrFolder === '' || path === fileOrFolder || path.startsWith(`${fileOrFolder}/`);
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
