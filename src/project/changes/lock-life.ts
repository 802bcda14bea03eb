import { closeSync, fstatSync, futimesSync, openSync, readFileSync } from 'node:fs';
import { systemCode } from '../../errors.js';
import { isAliveElsewhere, isNear, readHolder } from './holder.js';

/** The texts of locks that were found dead: another lock may have the same name by now. */
export type Dead = Set<string>;

/** How often a holder shows that it is alive. */
export const beatMs = 2000;

/** For how long one that cannot be looked at may show nothing. */
const patienceMs = 10_000;
const lookMs = 100;

/**
 * True if the lock at a path is that of the token.
 * @param isBeating whether it is to show that its holder is alive
 */
export function isHeldBy(own: string, token: string, isBeating: boolean): boolean {
  return withFile(own, 'r+', false, (handle) => {
    // No other lock has the token: looking for it is quicker than reading all, once for each file.
    if (!readFileSync(handle, 'utf8').includes(token)) return false;
    if (isBeating) futimesSync(handle, new Date(), new Date());
    return true;
  });
}

/** True if a living process has the lock at a path. */
export function isHeld(path: string, dead: Dead): boolean {
  const text = withFile(path, 'r', undefined, (handle) => readFileSync(handle, 'utf8'));
  const holder = text === undefined ? undefined : readHolder(text);
  if (text === undefined || !holder || dead.has(text)) return false;
  const isAlive = isNear(holder) ? isAliveElsewhere(holder) : showsLife(path);
  if (!isAlive) dead.add(text);
  return isAlive;
}

/** Looks at a lock until its holder shows that it is alive. Clocks are not compared: those of two machines differ. */
function showsLife(path: string): boolean {
  const beatNow = () => withFile(path, 'r', undefined, (handle) => fstatSync(handle).mtimeMs);
  const first = beatNow();
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    pause(lookMs);
    const now = beatNow();
    if (now === undefined) return false;
    if (now !== first) return true;
  }
  return false;
}

/** A network disk asks the server anew only when a file is opened. @returns `otherwise` if there is no such file */
function withFile<T>(
  path: string,
  flags: 'r' | 'r+',
  otherwise: T,
  look: (handle: number) => T,
): T {
  let handle: number | undefined;
  try {
    handle = openSync(path, flags);
    return look(handle);
  } catch (error) {
    // Given back in between.
    if (systemCode(error) === 'ENOENT') return otherwise;
    throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
