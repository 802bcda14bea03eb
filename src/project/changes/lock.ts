import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode, UserError, unlessRefused, unwritable } from '../../errors.js';
import { beatMs, type Dead, holderText, isHeld, isHeldBy } from './holder.js';
import {
  hasWorkFolder,
  ignoreFile,
  lockName,
  removeWorkFolder,
  workFolder,
} from './work-folder.js';

/** The lock that makes this process the only one that changes the project. */
export interface Lock {
  /** False if another process has taken over, because this one was stopped for so long that it counted as dead. */
  isOurs(): boolean;
  /** Called before each step that cannot be undone. @throws UserError if another process has taken over */
  check(): void;
  release(): void;
}

/**
 * Makes this process the only one that changes the project.
 *
 * The lock is the file with the highest number. Whoever finds its holder dead makes the next one: a name can be made
 * only once, so of two processes that take over a dead lock at the same time, one fails. Waits up to ten seconds if the
 * holder is on another machine or in a container and shows no sign of life.
 * @throws UserError if a living process has it, or the folder is a link
 */
export function lockProject(root: string): Lock {
  // Through a link everything would be written elsewhere.
  hasWorkFolder(root);
  const folder = join(root, workFolder);
  const dead: Dead = new Set();
  const { own, number, text } = makeLock(folder, dead);
  const lock = heldLock(root, own, text);
  try {
    // Another process may have made a lower lock after the dead ones were gone.
    for (const other of othersThan(folder, number, dead)) rmSync(join(folder, `lock-${other}`));
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock;
}

function heldLock(root: string, own: string, text: string): Lock {
  const isOurs = () => isHeldBy(own, text);
  const beat = () => {
    try {
      isOurs();
    } catch {
      // A failing disk: the next step reports it.
    }
  };
  const beats = setInterval(beat, beatMs).unref();
  return {
    isOurs,
    check() {
      if (isOurs()) return;
      throw new UserError(
        'Another create-auth-service has taken over: this one was stopped for so long that it counted as dead.',
        'It has undone the changes of this one. Run the command again if you still need it.',
      );
    },
    release() {
      clearInterval(beats);
      if (!isOurs()) return;
      try {
        rmSync(own, { force: true });
      } catch {
        // The change itself is done, and nobody is blocked by the lock of a dead process.
      }
      removeWorkFolder(root);
    },
  };
}

function makeLock(
  folder: string,
  dead: Dead,
  triesLeft = 3,
): { own: string; number: number; text: string } {
  const number = Math.max(0, ...othersThan(folder, undefined, dead)) + 1;
  const own = join(folder, `lock-${number}`);
  const token = randomBytes(8).toString('hex');
  const text = holderText(token);
  const draft = join(folder, `draft-${token}`);
  try {
    openFolder(folder);
    writeFileSync(draft, text);
    // Atomic: a link appears with its content, and never replaces anything.
    linkSync(draft, own);
    rmSync(draft);
    return { own, number, text };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') throw busy(own);
    // The last process that used the folder has just removed it.
    if (code === 'ENOENT' && triesLeft > 1) return makeLock(folder, dead, triesLeft - 1);
    if (code === undefined) throw error;
    throw unwritable(folder, code);
  }
}

/** @throws UserError if a living process is changing the project */
export function refuseLocked(root: string): void {
  othersThan(join(root, workFolder), undefined, new Set());
}

/** Makes the folder with an ignore file in it, so that the project's own ignore file stays the team's. */
function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  // A link may be in its place, committed by somebody: through it, another file would be overwritten.
  rmSync(join(folder, ignoreFile), { force: true });
  // Another process may be making it, too.
  unlessRefused(['EEXIST'], undefined, () =>
    writeFileSync(join(folder, ignoreFile), '*\n', { flag: 'wx' }),
  );
}

/** The numbers of the other locks. @throws UserError if one of the holders is alive */
function othersThan(folder: string, own: number | undefined, dead: Dead): number[] {
  const entries = unlessRefused(['ENOENT'], [], () => readdirSync(folder, { withFileTypes: true }));
  // A link may lead to a device that never ends.
  const files = entries.filter((entry) => entry.isFile());
  const numbers = files.flatMap(({ name }) => {
    const number = Number(lockName.exec(name)?.[1]);
    return Number.isNaN(number) || number === own ? [] : [number];
  });
  for (const number of numbers) {
    const path = join(folder, `lock-${number}`);
    if (isHeld(path, dead)) throw busy(path);
  }
  return numbers;
}

function busy(path: string): UserError {
  return new UserError(
    'Another create-auth-service is changing this project.',
    `Wait until it is done. If it is no longer running, delete ${path}`,
  );
}
