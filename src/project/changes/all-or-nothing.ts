import { relative } from 'node:path';
import { systemCode, unwritable } from '../../errors.js';
import { interruptible } from '../../interrupt.js';

/** How to undo unfinished work. Synchronous: a signal handler cannot wait. */
interface Undoing {
  /** The folder that the work writes to. */
  root: string;
  /** Undoes what was done, after an error. */
  undo(): void;
  whenInterrupted(): void;
}

/**
 * Does the work; after an error or a signal, undoes what was done so far.
 * @throws UserError with the system's reason if a write fails
 */
export async function allOrNothing(
  { root, undo, whenInterrupted }: Undoing,
  work: () => Promise<void>,
): Promise<void> {
  const leave = () => {
    whenInterrupted();
    // On a terminal, progress and the `^C` of the keys are on this line.
    process.stderr.write(`${process.stderr.isTTY ? '\n' : ''}Interrupted. Nothing was changed.\n`);
  };
  await interruptible(leave, async () => {
    try {
      await work();
    } catch (error) {
      undo();
      throw explained(error, root);
    }
  });
}

/** A failing disk is not a bug: it is reported with the system's reason. */
function explained(error: unknown, root: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  // Renaming is the step that fails for a single file: an immutable one, or a mount point.
  const { dest } = error as NodeJS.ErrnoException & { dest?: string };
  const path = dest === undefined ? '' : relative(root, dest);
  return unwritable(path || root, code);
}
