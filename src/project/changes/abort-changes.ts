import { systemCode, UserError } from '../../errors.js';
import { closeJournal, readWaiting, writeJournal } from './journal.js';
import { lockProject } from './lock.js';
import { rollBack } from './roll-back.js';

/** The result of an abort. */
export interface Aborted {
  /** Paths of the kept copies of files that somebody has written to since the change. */
  kept: string[];
  /** The entries of git's index for the paths with conflicts, before the change. */
  index: string[];
}

/**
 * Restores everything as it was before the change that waits.
 * @throws UserError if nothing waits here, or the files cannot be written; it can then be repeated
 */
export function abortChanges(root: string): Aborted | undefined {
  const lock = lockProject(root);
  try {
    const journal = readWaiting(root);
    if (!journal) return undefined;
    writeJournal(root, { ...journal, state: 'undoing' });
    const kept = rollBack(root, { ...journal, state: 'undoing' }, lock);
    closeJournal(root);
    return { kept, index: journal.index };
  } catch (error) {
    throw told(error);
  } finally {
    lock.release();
  }
}

function told(error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return new UserError(
    `The project could not be put back (${code}).`,
    1,
    'Nothing is lost. Remove the cause and run the command again.',
  );
}
