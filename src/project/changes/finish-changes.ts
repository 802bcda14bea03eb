import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode, unwritable } from '../../errors.js';
import { manifestPath } from '../../plan/manifest.js';
import { settleNow, writeDurably } from './durable.js';
import { closeJournal, readWaiting } from './journal.js';
import { lockProject } from './lock.js';
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
 * Ends a change that waited for decisions: puts the manifest without pending paths in place, in one step, and deletes
 * what would be needed to undo the change.
 * @throws UserError if it cannot be written; then nothing has changed
 */
export function finishChanges(root: string, manifest: string): Finished {
  const lock = lockProject(root);
  try {
    const journal = readWaiting(root);
    const draft = join(root, workFolder, 'draft-manifest.json');
    rmSync(draft, { force: true });
    writeDurably(draft, Buffer.from(manifest));
    lock.check();
    renameSync(draft, join(root, manifestPath));
    settleNow(dirname(join(root, manifestPath)));
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
