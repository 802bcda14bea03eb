import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemCode, UserError } from '../../errors.js';
import type { TreeChange } from '../../upgrade/upgrade-plan.js';
import { readProjectFile, statsOf } from '../read-file.js';
import { filesPerBatch, writeTree } from '../write-tree.js';
import { allOrNothing } from './all-or-nothing.js';
import { changedMeanwhile, currentFiles, type Found, isSame, modeAfter } from './current-files.js';
import { syncAll } from './durable.js';
import { closeJournal, enterState, type Journal, planJournal, stagedPath } from './journal.js';
import { type Lock, lockProject } from './lock.js';
import { makeFolder } from './new-folder.js';
import { rollBack } from './roll-back.js';
import { removeIfEmpty } from './work-folder.js';

export interface ApplyOptions {
  /** Its title for people. */
  title: string;
  /** What to do after it; repeated when it is continued. */
  nextSteps?: string[];
  /** True if somebody has to resolve conflicts before it is done: until then `abortChanges` can undo it. */
  isPending: boolean;
  /** The current entries of git's index for the paths with conflicts; restored when the change is undone. */
  index?: string[];
  /** The commit that the project is at, if there is one. */
  head?: string | undefined;
}

/**
 * Writes all changes or none. A failing write, Ctrl-C or `kill` leaves the folder as it was; after SIGKILL or a power
 * cut, the next run restores it (`healProject`). A folder that does not exist yet is completed beside its place and
 * then moved; in an existing one, a journal keeps what is replaced.
 * @returns the number of files that were written or removed; 0 if all were already as planned
 * @throws UserError if a file has changed since the plan was made, may not be written, or a write fails
 */
export async function applyChanges(
  root: string,
  changes: TreeChange[],
  options: ApplyOptions,
): Promise<number> {
  if (!statsOf(root)) {
    const umask = process.umask();
    const files = changes.flatMap(({ path, after }) =>
      after ? [{ path, content: after.content, mode: after.mode & ~umask }] : [],
    );
    await makeFolder(root, files);
    return changes.length;
  }
  if (currentFiles(root, changes).length === 0) return 0;
  const lock = lockProject(root);
  try {
    const found = currentFiles(root, changes);
    const journal = planJournal(root, found, options);
    const undo = () => {
      rollBack(root, journal, lock);
      closeJournal(root);
    };
    const undoing = {
      root,
      undo: () => {
        // Throws if another process has taken over: it has already undone the change.
        lock.check();
        undoOrExplain(undo);
      },
      whenInterrupted: () => {
        if (lock.isOurs()) undo();
        lock.release();
      },
    };
    await allOrNothing(undoing, async () => {
      enterState(root, journal, 'staging');
      await stageFiles(root, journal, found, lock);
      enterState(root, journal, 'replacing');
      await replaceFiles(root, journal, lock);
      verifyFiles(root, journal);
      lock.check();
      if (options.isPending) enterState(root, journal, 'applied');
      else closeJournal(root);
    });
    return found.length;
  } finally {
    lock.release();
  }
}

/** Writes each new text into the work folder. Everything that needs disk space is done here. */
async function stageFiles(
  root: string,
  journal: Journal,
  found: Found[],
  lock: Lock,
): Promise<void> {
  lock.check();
  rmSync(stagedPath(root, ''), { recursive: true, force: true });
  for (const folder of journal.madeFolders) mkdirSync(join(root, folder));
  const files = found.flatMap(({ change: { path, after }, file }) =>
    after ? [{ path, content: after.content, mode: modeAfter(after.mode, file) }] : [],
  );
  const staged = await writeTree(stagedPath(root, ''), files);
  if (replacesText(journal)) await syncAll(staged);
}

/**
 * Moves the staged files into place, in the order of the journal, and deletes the files to be removed.
 * @throws UserError if somebody has changed one of them just before
 */
async function replaceFiles(root: string, journal: Journal, lock: Lock): Promise<void> {
  for (const [position, { path, before, after }] of journal.entries.entries()) {
    lock.check();
    if (!isSame(before, readProjectFile(root, path))) throw changedMeanwhile(path);
    if (after) renameSync(stagedPath(root, path), join(root, path));
    else rmSync(join(root, path));
    if (position % filesPerBatch === 0) await setImmediate();
  }
  rmSync(stagedPath(root, ''), { recursive: true, force: true });
  for (const { path } of [...journal.leftFolders].reverse()) removeIfEmpty(join(root, path));
  if (!replacesText(journal)) return;
  const changed = [...journal.entries, ...journal.leftFolders];
  const folders = new Set(changed.map(({ path }) => dirname(join(root, path))));
  await syncAll([...folders].filter((folder) => existsSync(folder)));
}

/** False if there are only new files: those can be made again after a power cut. */
function replacesText({ entries }: Journal): boolean {
  return entries.some(({ before }) => before);
}

/**
 * Reads back everything that was written.
 * @throws UserError if it differs: the disk failed, or somebody else wrote to it
 */
function verifyFiles(root: string, { entries }: Journal): void {
  const wrong = entries.find(({ path, after }) => !isSame(after, readProjectFile(root, path)));
  if (!wrong) return;
  throw new UserError(`${wrong.path} is not what was written to it. Everything was restored.`);
}

function undoOrExplain(undo: () => void): void {
  try {
    undo();
  } catch (error) {
    const reason = systemCode(error) ?? (error instanceof Error ? error.message : String(error));
    throw new UserError(
      `Writing failed, and so did restoring the files (${reason}).`,
      'Nothing is lost: remove the cause, for example by freeing space, then: npx create-auth-service upgrade --abort',
    );
  }
}
