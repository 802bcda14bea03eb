import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { listed, UserError, unlessRefused } from '../../errors.js';
import { sha256Of } from '../../plan/manifest.js';
import type { TreeChange } from '../../upgrade/upgrade-plan.js';
import { type ProjectFile, readProjectFile, statsWithin } from '../read-file.js';

/** A change, and the file that is there now. */
export interface Found {
  change: TreeChange;
  file: ProjectFile | undefined;
}

/**
 * Looks at every file to be changed; those that are already as they should be are left out.
 * @throws UserError if one has changed since the plan was made, or may not be written
 */
export function currentFiles(root: string, changes: TreeChange[]): Found[] {
  const found = changes
    .map((change) => ({ change, file: readProjectFile(root, change.path) }))
    .filter(({ change, file }) => !isAsPlanned(change, file));
  for (const { change, file } of found) {
    if (!isSame(change.before, file)) throw changedMeanwhile(change.path);
  }
  refuseReadOnly(
    root,
    found.map(({ change: { path } }) => path),
    found.flatMap(({ change: { path }, file }) => (file && (file.mode & 0o200) === 0 ? path : [])),
  );
  return found;
}

/** True if the file is still as it was when it was read. */
export function isSame(
  seen: { sha256: string; mode: number } | undefined,
  file: ProjectFile | undefined,
): boolean {
  if (!seen || !file) return !seen && !file;
  return sha256Of(file.content) === seen.sha256 && isSameMode(file.mode, seen.mode);
}

export function changedMeanwhile(path: string): UserError {
  return new UserError(
    `${path} has changed since the plan was made. Nothing was changed.`,
    'Run the command again.',
  );
}

/** The permissions of a changed file: the team's, except for who may execute it. */
export function modeAfter(planned: number, file: ProjectFile | undefined): number {
  if (!file) return planned & ~process.umask();
  const readers = (file.mode & 0o444) >> 2;
  return planned & 0o100 ? file.mode | readers : file.mode & ~0o111;
}

/** Windows has no permission bits. */
function isSameMode(one: number, other: number): boolean {
  return process.platform === 'win32' || one === other;
}

function isAsPlanned({ after }: TreeChange, file: ProjectFile | undefined): boolean {
  if (!after || !file) return !after && !file;
  return after.content.equals(file.content) && isSameMode(modeAfter(after.mode, file), file.mode);
}

/**
 * @param files read-only ones: moving another file into their place would bypass the permission; root may do anything
 * @throws UserError if there are such files, or a folder of these paths may not be written or has a file in its place
 */
export function refuseReadOnly(root: string, paths: string[], files: string[] = []): void {
  const folders = new Set(paths.map((path) => firstThere(root, dirname(path))));
  const closed = [...files, ...[...folders].filter((folder) => !isWritable(join(root, folder)))];
  if (closed.length === 0) return;
  throw new UserError(
    `Read-only, so nothing was changed:\n${listed(closed)}`,
    'Make them writable (chmod u+w) and run the command again.',
  );
}

/** @throws UserError if a file is in the folder's place */
function firstThere(root: string, folder: string): string {
  const stats = folder === '.' ? undefined : statsWithin(root, folder);
  if (stats && !stats.isDirectory()) {
    throw new UserError(
      `${folder} is a file. Nothing was changed.`,
      'The project needs a folder there: move or delete the file.',
    );
  }
  return folder === '.' || stats ? folder : firstThere(root, dirname(folder));
}

function isWritable(folder: string): boolean {
  return unlessRefused(['EACCES', 'EROFS', 'EPERM'], false, () => {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  });
}
