import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unlessRefused } from '../errors.js';
import { leavesProject, recordFolder } from '../plan/manifest.js';
import { git, gitItems, ignoredOf } from './git/call-git.js';

const ownsItself = [recordFolder, '.git'];

// Nobody moves a source file into these, and they are large.
const passedOver = [...ownsItself, 'node_modules'];

// Further down these names may be those of source folders.
const passedOverAtTop = [...passedOver, 'dist', 'coverage', 'data'];

/**
 * All files of the project that may be a moved file at its new path, or may import one. Links are not followed; other
 * projects or repositories inside this one, and what git ignores or would ignore in a repository, are left out.
 */
export async function ownPaths(
  root: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<string[]> {
  const paths = pathsBelow(root).filter((path) => isWanted(path) && !leavesProject(path));
  const isInRepository = (await git(root, 'rev-parse', '--git-dir')) !== undefined;
  if (!isInRepository) return notIgnoredOutside(root, paths);
  const ignored = await ignoredOf(root, paths);
  return paths.filter((path) => !ignored.has(path));
}

/** Without a repository git only says which files it would search: all of them, as the pattern matches no line. */
async function notIgnoredOutside(root: string, paths: string[]): Promise<string[]> {
  const options = ['--no-index', '--exclude-standard', '--no-color', '-z'];
  const every = ['--files-without-match', '--not', '-e', ''];
  const searched = new Set(await gitItems(root, 'grep', ...options, ...every));
  return searched.size > 0 ? paths.filter((path) => searched.has(path)) : paths;
}

/** Folders that may not be read are skipped, for example the data of a database. */
function pathsBelow(root: string, folder = ''): string[] {
  const entries = unlessRefused(['EACCES', 'EPERM', 'ENOENT'], [], () =>
    readdirSync(join(root, folder), { withFileTypes: true }),
  );
  const isForeign = folder !== '' && entries.some(({ name }) => ownsItself.includes(name));
  if (isForeign) return [];
  const skipped = folder === '' ? passedOverAtTop : passedOver;
  return entries.flatMap((entry) => {
    if (skipped.includes(entry.name)) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return pathsBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}
