import { closeSync, fstatSync, futimesSync, openSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemCode, unlessRefused } from '../../errors.js';

/** The text of a lock that this process holds. @param token makes it differ from that of every other lock */
export function holderText(token: string): string {
  return `${process.pid} ${hostname()} ${token}`;
}

/** True if a process with this id runs on this machine, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** The texts of locks whose holders were found dead. Not their names: another lock may have the same name by now. */
export type Dead = Set<string>;

/** How often a holder shows that it is alive. */
export const beatMs = 2000;

/** How long a holder that cannot be looked up may show no sign of life. */
const patienceMs = 10_000;
const lookMs = 100;

/** True if the lock at a path is the one with this text. Then this shows that its holder is alive. */
export function isHeldBy(own: string, text: string): boolean {
  return withFile(own, 'r+', false, (handle) => {
    if (readFileSync(handle, 'utf8') !== text) return false;
    futimesSync(handle, new Date(), new Date());
    return true;
  });
}

/** True if a living process has the lock at a path. */
export function isHeld(path: string, dead: Dead): boolean {
  const text = withFile(path, 'r', undefined, (handle) => readFileSync(handle, 'utf8'));
  const [pid, host, token] = text?.split(' ') ?? [];
  // Without a token, a power cut has torn it.
  if (text === undefined || token === undefined || dead.has(text)) return false;
  // On this machine the system knows. A process in a container may have had the id that this one has now.
  const isHere = host === hostname();
  const lives = isHere ? Number(pid) !== process.pid && isAlive(Number(pid)) : showsLife(path);
  if (!lives) dead.add(text);
  return lives;
}

/** Watches a lock until its holder shows that it is alive. No clocks are compared: those of two machines differ. */
function showsLife(path: string): boolean {
  const beatNow = () => withFile(path, 'r', undefined, (handle) => fstatSync(handle).mtimeMs);
  const first = beatNow();
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookMs);
    const now = beatNow();
    if (now === undefined) return false;
    if (now !== first) return true;
  }
  return false;
}

/**
 * Opens the file each time: a network disk asks the server again only then.
 * @returns `otherwise` if there is no such file
 */
function withFile<T>(
  path: string,
  flags: 'r' | 'r+',
  otherwise: T,
  look: (handle: number) => T,
): T {
  // Released in between.
  return unlessRefused(['ENOENT'], otherwise, () => {
    const handle = openSync(path, flags);
    try {
      return look(handle);
    } finally {
      closeSync(handle);
    }
  });
}
