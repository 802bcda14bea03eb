import { randomBytes } from 'node:crypto';
import { relative } from 'node:path';
import { systemCode, UserError } from '../../errors.js';
import { interruptible } from '../../interrupt.js';
import type { TreeChange } from '../../upgrade/upgrade-plan.js';
import { closeJournal, type Journal, openJournal, writeJournal } from './journal.js';
import { type Lock, lockProject } from './lock.js';
import { type Found, lookAt } from './look.js';
import { planJournal } from './plan-journal.js';
import { replaceFiles } from './replace-files.js';
import { rollBack } from './roll-back.js';
import { stageFiles } from './stage-files.js';
import { verifyFiles } from './verify-files.js';

export interface ApplyOptions {
  /** How people call the change. */
  title: string;
  /** What is to be done after it; said again when it is continued. */
  nextSteps?: string[];
  /** Somebody has to look at conflicts before it is done: until then it can be undone by `abortChanges`. */
  isPending: boolean;
  /** What git's index holds now for the paths with conflicts; restored when the change is undone. */
  index?: string[];
}

/**
 * Writes all changes or none. Whatever ends this before, a failing write, Ctrl-C or `kill`, leaves the project as it was;
 * after SIGKILL or a power cut the next run puts it back (`healProject`).
 * @returns the number of files that were written or removed; 0 if all were as planned already
 * @throws UserError if a file has changed since the plan was made, may not be written, or a write fails
 */
export async function applyChanges(
  root: string,
  changes: TreeChange[],
  options: ApplyOptions,
): Promise<number> {
  if (lookAt(root, changes).length === 0) return 0;
  const lock = lockProject(root);
  try {
    const found = lookAt(root, changes);
    const { journal, texts } = planJournal(root, found, newToken(), options);
    await undoneIfEnded(root, journal, lock, async () => {
      openJournal(root, journal, texts);
      await carryOut(root, journal, found, lock, options);
    });
    return found.length;
  } finally {
    lock.release();
  }
}

async function carryOut(
  root: string,
  journal: Journal,
  found: Found[],
  lock: Lock,
  { isPending }: ApplyOptions,
): Promise<void> {
  await stageFiles(root, journal, found, lock);
  advance(root, journal, 'replacing');
  await replaceFiles(root, journal, lock);
  verifyFiles(root, journal);
  lock.check();
  if (isPending) advance(root, journal, 'applied');
  else closeJournal(root);
}

function advance(root: string, journal: Journal, state: Journal['state']): void {
  writeJournal(root, { ...journal, state });
  journal.state = state;
}

/** Until the work is done, an error or a signal undoes it; whoever has taken over has done so already. */
async function undoneIfEnded(
  root: string,
  journal: Journal,
  lock: Lock,
  work: () => Promise<void>,
): Promise<void> {
  const undo = () => {
    rollBack(root, journal, lock);
    closeJournal(root);
  };
  const whenInterrupted = () => {
    if (lock.isOurs()) undo();
    lock.release();
    process.stderr.write('Interrupted. Nothing was changed.\n');
  };
  await interruptible(whenInterrupted, async () => {
    try {
      await work();
    } catch (error) {
      lock.check();
      undoOrTell(undo);
      throw told(error, root);
    }
  });
}

function undoOrTell(undo: () => void): void {
  try {
    undo();
  } catch (error) {
    const reason = systemCode(error) ?? (error instanceof Error ? error.message : String(error));
    throw new UserError(
      `Writing failed, and so did putting the files back (${reason}).`,
      1,
      'Nothing is lost: remove the cause, for example by freeing space, then: create-auth-service upgrade --abort',
    );
  }
}

/** A failing disk is no bug: it is told with the system's reason. */
function told(error: unknown, root: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  // Renaming is the step at which a single file refuses: an immutable one, the place of a mount.
  const { dest } = error as NodeJS.ErrnoException & { dest?: string };
  const what = dest === undefined ? 'The project' : relative(root, dest);
  return new UserError(`${what} could not be written (${code}). Nothing was changed.`);
}

function newToken(): string {
  return randomBytes(8).toString('hex');
}
