import { UserError } from '../../errors.js';
import { openProject } from '../open-project.js';
import { closeJournal, readJournal } from './journal.js';
import { lockProject, refuseLocked } from './lock.js';
import { removeDrafts } from './new-folder.js';
import { rollBack } from './roll-back.js';
import { hasWorkFolder } from './work-folder.js';

/**
 * Undoes what a killed run has left half done, and removes the remains of a folder that it was making. A change that
 * waits to be continued or aborted is left alone.
 * @returns the names under which files are kept that somebody has written to since; undefined if there was nothing to undo
 * @throws UserError if another run is at work
 */
export function healProject(root: string): string[] | undefined {
  removeDrafts(root);
  if (!hasWorkFolder(root)) return undefined;
  const lock = lockProject(root);
  try {
    const journal = readJournal(root);
    if (!journal) return undefined;
    const isApplied = journal.state === 'applied';
    if (isApplied && openProject(root).manifest.pending.length > 0) return undefined;
    // Applied but no longer waiting: somebody has gone back with git.
    const kept = isApplied ? undefined : rollBack(root, journal, lock);
    closeJournal(root);
    return kept;
  } finally {
    lock.release();
  }
}

/** For commands that only read. @throws UserError if a run is at work, or a killed one has left the project half changed */
export function refuseHalfWay(root: string): void {
  if (!hasWorkFolder(root)) return;
  refuseLocked(root);
  const state = readJournal(root)?.state;
  if (state === undefined || state === 'applied') return;
  throw new UserError(
    'A run was killed half-way: some files are changed, others are not.',
    'To restore them: npx create-auth-service upgrade --abort',
  );
}
