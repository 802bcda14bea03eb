import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UserError, unlessRefused } from '../../errors.js';
import { recordFolder } from '../../plan/manifest.js';
import { statsWithin } from '../read-file.js';

/** Where the locks and the journal lie while something is being changed, or waits to be continued. Git ignores it. */
export const workFolder = `${recordFolder}/work`;
export const ignoreFile = '.gitignore';
export const journalName = 'journal.json';
export const lockName = /^lock-(\d+)$/;

/** @throws UserError if a link or a file is in its place */
export function hasWorkFolder(root: string): boolean {
  const stats = statsWithin(root, workFolder);
  if (stats && !stats.isDirectory()) {
    throw new UserError(
      `${workFolder} is not a folder.`,
      'Delete it: create-auth-service keeps unfinished changes in a folder of that name.',
    );
  }
  return stats !== undefined;
}

/**
 * Empties and removes the folder, as far as no journal needs it and no other process has its lock in it. Nothing
 * depends on it, so a failure is ignored: the next run tries again.
 */
export function removeWorkFolder(root: string): void {
  const folder = join(root, workFolder);
  try {
    const names = readdirSync(folder);
    if (names.includes(journalName)) return;
    const isInUse = names.some((name) => lockName.test(name));
    const left = names.filter((name) => !lockName.test(name) && !(isInUse && name === ignoreFile));
    for (const name of left) rmSync(join(folder, name), { recursive: true, force: true });
    if (isInUse) return;
    rmdirSync(folder);
    // A project that was never completed has no record either.
    removeIfEmpty(join(root, recordFolder));
  } catch {
    // Another process has put its lock there in between, or the disk fails.
  }
}

/** Removes a folder unless something is in it. */
export function removeIfEmpty(folder: string): void {
  unlessRefused(['ENOTEMPTY', 'ENOENT', 'EEXIST', 'ENOTDIR'], undefined, () => rmdirSync(folder));
}
