import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode, UserError, unwritable } from '../../errors.js';
import { manifestPath } from '../../plan/manifest.js';
import { git } from '../git/call-git.js';
import { restoreIndex } from '../git/index-stages.js';
import { syncNow, writeDurably } from './durable.js';
import { closeJournal, enterState, readWaiting } from './journal.js';
import { lockProject } from './lock.js';
import { rollBack, stepsBack } from './roll-back.js';
import { workFolder } from './work-folder.js';

/** The change that is now done. */
export interface Finished {
  /** Undefined if the change was made in another checkout, which has its journal. */
  title: string | undefined;
  nextSteps: string[];
  /** What it wrote or removed. */
  paths: string[];
}

/**
 * Ends a change that waited for decisions: removes its conflicts from git's index, puts the manifest without pending
 * paths in place, in one step, and deletes what would be needed to undo the change.
 * @throws UserError if it cannot be written; then nothing has changed
 */
export async function finishChanges(root: string, manifest: string): Promise<Finished> {
  const lock = lockProject(root);
  try {
    const journal = await readWaiting(root);
    // Before the end: after a kill in between, the same command can be run again.
    await restoreIndex(root, journal?.index ?? [], { onlyUnmerged: true });
    const draft = join(root, workFolder, 'draft-manifest.json');
    rmSync(draft, { force: true });
    writeDurably(draft, manifest);
    lock.check();
    renameSync(draft, join(root, manifestPath));
    syncNow(dirname(join(root, manifestPath)));
    closeJournal(root);
    return {
      title: journal?.title,
      nextSteps: journal?.nextSteps ?? [],
      paths: journal?.entries.map(({ path }) => path) ?? [manifestPath],
    };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw unwritable(manifestPath, code);
  } finally {
    lock.release();
  }
}

/**
 * Restores everything as it was before the change that waits, git's index too.
 * @returns paths of the kept copies of files that somebody has written to since; undefined if nothing waits here
 * @throws UserError if something stands in the way: then nothing has changed; or if the files cannot be written; it can
 *   then be repeated
 */
export async function abortChanges(root: string): Promise<string[] | undefined> {
  const lock = lockProject(root);
  try {
    const journal = await readWaiting(root);
    if (!journal) return undefined;
    // First: a change that is being undone can no longer be continued.
    stepsBack(root, journal);
    // What has been committed since is no longer staged: the old entries would undo it there.
    const isCommitted = (await git(root, 'rev-parse', 'HEAD')) !== journal.head;
    await restoreIndex(root, journal.index, { onlyUnmerged: isCommitted });
    lock.check();
    enterState(root, journal, 'undoing');
    const kept = rollBack(root, journal, lock);
    closeJournal(root);
    return kept;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new UserError(
      `The project could not be restored (${code}).`,
      'Nothing is lost. Remove the cause and run the command again.',
    );
  } finally {
    lock.release();
  }
}
