import { relative, resolve, sep } from 'node:path';

import { UserError } from '../errors.js';
import { nearest } from '../nearest.js';
import type { ManifestFile } from '../plan/manifest.js';
import type { Project } from './open-project.js';

/**
 * The emitted files that paths name, each a file or a folder; all if there are none.
 * @param from the folder that the paths are relative to
 * @throws UserError for a path that names nothing which was emitted
 */
export function filesNamed(
  { root, manifest }: Project,
  paths: string[],
  from: string,
): ManifestFile[] {
  if (paths.length === 0) return manifest.files;
  const wanted = paths.map((path) => {
    const within = relative(root, resolve(from, path)).split(sep).join('/');
    const found = manifest.files.filter((file) => isIn(file.path, within));
    if (found.length === 0) throw namesNothing(path, manifest.files);
    return found;
  });
  const named = new Set(wanted.flat());
  return manifest.files.filter((file) => named.has(file));
}

function isIn(path: string, fileOrFolder: string): boolean {
  return fileOrFolder === '' || path === fileOrFolder || path.startsWith(`${fileOrFolder}/`);
}

function namesNothing(path: string, files: ManifestFile[]): UserError {
  const meant = nearest(
    path,
    files.map((file) => file.path),
  );
  return new UserError(
    `${path} is no file that create-auth-service has made, nor a folder with one.`,
    1,
    meant && `Did you mean ${meant}?`,
  );
}
