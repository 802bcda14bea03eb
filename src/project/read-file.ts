import { closeSync, constants, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode, UserError } from '../errors.js';
import { leavesProject } from '../upgrade/leaves-project.js';

/** A file as it lies in the project. */
export interface ProjectFile {
  content: Buffer;
  /** The permission bits as they are, 0o664 or 0o600 included; only who may execute means something to a merge. */
  mode: number;
}

// Windows has neither; there the look at each step before has to do.
const withoutLinks = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file of the project; undefined if there is none.
 * @param path relative, with forward slashes
 * @param folders what is known of the folders on the way, for whoever reads many files at once
 * @throws UserError if a symbolic link, a folder or a device lies there or on the way: links are never followed, they
 *   could lead out of the project
 */
export function readProjectFile(
  root: string,
  path: string,
  folders?: KnownFolders,
): ProjectFile | undefined {
  const stats = statsWithin(root, path, folders);
  if (!stats) return undefined;
  if (!stats.isFile()) {
    throw new UserError(`${path} is ${stats.isDirectory() ? 'a folder' : 'no file'}.`, 1, asFile);
  }
  try {
    const handle = openSync(join(root, path), constants.O_RDONLY | withoutLinks);
    return { content: readAndClose(handle), mode: stats.mode & 0o777 };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new UserError(`${path} cannot be read (${code}).`);
  }
}

/** The same of a file that could be any of the team's: one that cannot be read counts as none. */
export function readAnyFile(
  root: string,
  path: string,
  folders?: KnownFolders,
): ProjectFile | undefined {
  try {
    return readProjectFile(root, path, folders);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

const asFile = 'The project has a file there: move what is in its place, or delete it.';

function readAndClose(handle: number): Buffer {
  try {
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Folders of the project that were looked at already, by path; undefined for those which do not exist. */
export type KnownFolders = Map<string, Stats | undefined>;

/**
 * What lies at a path of the project; undefined if nothing does.
 * @throws UserError if a symbolic link is on the way, or something else than a folder is in a folder's place
 */
export function statsWithin(
  root: string,
  path: string,
  folders: KnownFolders = new Map(),
): Stats | undefined {
  if (leavesProject(path)) throw new Error(`${path} leaves the project`);
  if (folders.has(path)) return folders.get(path);
  const end = path.lastIndexOf('/');
  if (end > 0 && !isFolder(root, path.slice(0, end), folders)) return undefined;
  const stats = statsOf(join(root, path));
  if (stats?.isSymbolicLink()) {
    throw new UserError(
      `${path} is a symbolic link. Links are not followed: they could lead out of the project.`,
      1,
      'Put the file itself in its place.',
    );
  }
  return stats;
}

function isFolder(root: string, path: string, folders: KnownFolders): boolean {
  if (!folders.has(path)) folders.set(path, statsWithin(root, path, folders));
  return folders.get(path)?.isDirectory() === true;
}

/**
 * What lies at the path itself, links not followed; undefined if nothing does.
 * @throws UserError if the folder cannot be looked into
 */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UserError(`${dirname(path)} cannot be read (${code}).`);
  }
}
