import { readdirSync, type Stats } from 'node:fs';
import { join, parse, relative, resolve, sep } from 'node:path';
import { nameProblem } from '../answers/project-name.js';
import { listed, UserError } from '../errors.js';
import { recordFolder } from '../plan/manifest.js';
import { statsOf } from './read-file.js';

/** The folder that a project will be written to, as it was found. */
export interface Target {
  /** Absolute. */
  path: string;
  /** True if it contains anything besides a `.git`. */
  isOccupied: boolean;
}

/**
 * Looks at the folder without touching it.
 * @throws UserError if it cannot or should not be written to: a name that npm or Windows refuses, a symbolic link on
 *   the way, a file in its place, or files in it without `isForced`
 */
export function inspectTarget(directory: string, { isForced }: { isForced: boolean }): Target {
  if (directory.trim() === '') {
    throw new UserError('The name of the directory is empty.', 'Name one, or . for this folder.');
  }
  const path = resolve(directory);
  const found = refuseBadWay(path) ? readdirSync(path) : [];
  const entries = found.filter((name) => name !== '.git');
  if (entries.length > 0 && !isForced) throw occupied(directory, entries);
  return { path, isOccupied: entries.length > 0 };
}

/** Checks each folder down to the target. @returns whether it exists */
function refuseBadWay(path: string): boolean {
  const { root } = parse(path);
  const steps = relative(root, path).split(sep).filter(Boolean);
  let exists = true;
  let current = root;
  for (const [depth, step] of steps.entries()) {
    current = join(current, step);
    const stats: Stats | undefined = exists ? statsOf(current) : undefined;
    exists = stats !== undefined;
    const problem = exists ? undefined : nameProblem(step);
    if (problem) {
      throw new UserError(`The folder name ${JSON.stringify(step)} ${problem}.`, 'Choose another.');
    }
    // Links directly below the root belong to the system, such as /tmp on macOS.
    if (stats?.isSymbolicLink() && depth > 0) {
      throw new UserError(
        `${current} is a symbolic link: the project would be written elsewhere.`,
        'Name the folder by its real path.',
      );
    }
    if (stats && !stats.isDirectory() && !stats.isSymbolicLink())
      throw new UserError(`${current} is a file, not a folder.`);
  }
  return exists;
}

function occupied(directory: string, entries: string[]): UserError {
  return new UserError(
    `${directory} is not empty:\n${listed(entries)}`,
    entries.includes(recordFolder)
      ? 'It contains a project made by create-auth-service. To bring it up to date, run in it: npx create-auth-service upgrade'
      : 'Choose another folder, or --force to replace files of the same names.',
  );
}
