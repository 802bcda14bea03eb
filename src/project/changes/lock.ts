import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemCode, UserError } from '../../errors.js';
import { isAlive } from '../is-alive.js';
import { statsWithin } from '../read-file.js';
import { ignoreFile, lockName, removeWorkFolder, workFolder } from './work-folder.js';

/**
 * Makes this process the only one that changes the project.
 *
 * The lock is the file with the highest number. Whoever finds its holder dead makes the next one: a name is made once,
 * so of two that take over a dead lock at the same time one fails. @returns what gives it back
 * @throws UserError if a living process has it, or the folder is a link
 */
export function lockProject(root: string): () => void {
  // Through a link everything would be written elsewhere.
  statsWithin(root, workFolder);
  const folder = join(root, workFolder);
  const { own, number } = makeLock(folder);
  const release = () => {
    try {
      rmSync(own, { force: true });
    } catch {
      // The change itself is done, and the lock of a dead process is in nobody's way.
    }
    removeWorkFolder(root);
  };
  try {
    // Somebody may have made a lower one after the dead ones were gone.
    for (const dead of othersThan(folder, number)) rmSync(join(folder, `lock-${dead}`));
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

function makeLock(folder: string, triesLeft = 3): { own: string; number: number } {
  const number = Math.max(0, ...othersThan(folder, undefined)) + 1;
  const own = join(folder, `lock-${number}`);
  const draft = join(folder, `draft-${randomBytes(8).toString('hex')}`);
  try {
    openFolder(folder);
    writeFileSync(draft, JSON.stringify({ pid: process.pid, host: hostname() }));
    // A link comes into being with its content, and never replaces anything.
    linkSync(draft, own);
    rmSync(draft);
    return { own, number };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') throw busy(own);
    // Whoever was the last one in the folder has just removed it.
    if (code === 'ENOENT' && triesLeft > 1) return makeLock(folder, triesLeft - 1);
    if (code === undefined) throw error;
    throw new UserError(`${folder} could not be written (${code}). Nothing was changed.`);
  }
}

/** True if a living process is changing the project. */
export function isLocked(root: string): boolean {
  try {
    othersThan(join(root, workFolder), undefined);
    return false;
  } catch (error) {
    if (error instanceof UserError) return true;
    throw error;
  }
}

/** Git is told to leave the folder out by a file in it, so that the project's own ignore file is the team's. */
function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ignoreFile), '*\n');
}

/** The numbers of the other locks. @throws UserError if one of their holders is alive */
function othersThan(folder: string, own: number | undefined): number[] {
  const numbers = namesIn(folder).flatMap((name) => {
    const number = Number(lockName.exec(name)?.[1]);
    return Number.isNaN(number) || number === own ? [] : [number];
  });
  for (const number of numbers) {
    const path = join(folder, `lock-${number}`);
    if (isHeld(path)) throw busy(path);
  }
  return numbers;
}

function isHeld(path: string): boolean {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; host: string };
    // Of another machine or container nobody here can say whether it is alive.
    return host !== hostname() || (pid !== process.pid && isAlive(pid));
  } catch (error) {
    // Given back in between, or torn by a power cut.
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return false;
    throw error;
  }
}

function busy(path: string): UserError {
  return new UserError(
    'Another create-auth-service is changing this project.',
    1,
    `Wait until it is done. If it runs no more, on this machine or in a container, delete ${path}`,
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
