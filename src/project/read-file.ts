import { closeSync, constants, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode, UserError } from '../errors.js';
import { leavesProject } from '../plan/manifest.js';

/** A file as it lies in the project. */
export interface ProjectFile {
  content: Buffer;
  /** The actual permission bits, such as 0o664 or 0o600; a merge looks only at who may execute. */
  mode: number;
}

// Windows has neither flag; there the check of each path step beforehand has to suffice.
const withoutLinks = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file of the project; undefined if there is none.
 * @param path relative, with forward slashes
 * @throws UserError if a symbolic link, a folder or a device lies there or on the way: links are never followed, they
 *   could lead out of the project
 */
export function readProjectFile(root: string, path: string): ProjectFile | undefined {
  const stats = statsWithin(root, path);
  if (!stats) return undefined;
  if (!stats.isFile()) {
    throw new UserError(
      `${path} is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}.`,
      asFile,
    );
  }
  try {
    const handle = openSync(`${root}/${path}`, constants.O_RDONLY | withoutLinks);
    return { content: readAndClose(handle), mode: stats.mode & 0o777 };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new UserError(`${path} cannot be read (${code}).`);
  }
}

/** The same for any path: what cannot be read, has more bytes or is outside the project counts as missing. */
export function readAnyFile(
  root: string,
  path: string,
  largest = Number.POSITIVE_INFINITY,
): ProjectFile | undefined {
  if (leavesProject(path)) return undefined;
  try {
    const size = statsWithin(root, path)?.size;
    return size === undefined || size > largest ? undefined : readProjectFile(root, path);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

const asFile = 'The project has a file there: move or delete what is in its place.';

function readAndClose(handle: number): Buffer {
  try {
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * What is at a path of the project; undefined if nothing is, or something other than a folder is in a folder's place.
 * @throws UserError if a symbolic link is there or on the way
 */
export function statsWithin(root: string, path: string): Stats | undefined {
  if (leavesProject(path)) throw new Error(`${path} leaves the project`);
  const folder = dirname(path);
  if (folder !== '.' && !statsWithin(root, folder)?.isDirectory()) return undefined;
  const stats = statsOf(`${root}/${path}`);
  if (stats?.isSymbolicLink()) {
    throw new UserError(
      `${path} is a symbolic link. Links are not followed: they could lead out of the project.`,
      'Put the file itself in its place.',
    );
  }
  return stats;
}

/**
 * What is at the path itself, links not followed; undefined if nothing is, or can be: its name may be too long.
 * @throws UserError if the folder cannot be looked into
 */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw new UserError(`${dirname(path)} cannot be read (${code}).`);
  }
}
