import { randomBytes } from 'node:crypto';
import { systemCode, UserError } from '../../errors.js';
import { interruptible } from '../../interrupt.js';
import type { TreeChange } from '../../upgrade/upgrade-plan.js';
import { closeJournal, type Journal, openJournal, writeJournal } from './journal.js';
import { lockProject } from './lock.js';
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
  const release = lockProject(root);
  try {
    const found = lookAt(root, changes);
    const { journal, texts } = planJournal(root, found, newToken(), options);
    await undoneIfEnded(root, journal, release, async () => {
      openJournal(root, journal, texts);
      await carryOut(root, journal, found, options);
    });
    return found.length;
  } finally {
    release();
  }
}

async function carryOut(
  root: string,
  journal: Journal,
  found: Found[],
  { isPending }: ApplyOptions,
): Promise<void> {
  await stageFiles(root, journal, found);
  advance(root, journal, 'replacing');
  await replaceFiles(root, journal);
  verifyFiles(root, journal);
  if (isPending) advance(root, journal, 'applied');
  else closeJournal(root);
}

function advance(root: string, journal: Journal, state: Journal['state']): void {
  writeJournal(root, { ...journal, state });
  journal.state = state;
}

/** Until the work is done, an error or a signal undoes it. */
async function undoneIfEnded(
  root: string,
  journal: Journal,
  release: () => void,
  work: () => Promise<void>,
): Promise<void> {
  const undo = () => {
    rollBack(root, journal);
    closeJournal(root);
  };
  const whenInterrupted = () => {
    undo();
    release();
    process.stderr.write('Interrupted. Nothing was changed.\n');
  };
  await interruptible(whenInterrupted, async () => {
    try {
      await work();
    } catch (error) {
      undoOrTell(undo);
      throw told(error);
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
function told(error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return new UserError(`The project could not be written (${code}). Nothing was changed.`);
}

function newToken(): string {
  return randomBytes(8).toString('hex');
}
