import { closeSync, fstatSync, futimesSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod/mini';
import { systemCode } from '../../errors.js';

const holderSchema = z.object({
  pid: z.number(),
  /** For whoever reads the file. */
  host: z.string(),
  /** Within one place a process is known by its number. */
  place: z.optional(z.string()),
  /** When it began: numbers are used again. */
  began: z.optional(z.string()),
  /** No other lock has it. */
  token: z.optional(z.string()),
});

/** Who has a lock. */
type Holder = z.infer<typeof holderSchema>;

/** @returns undefined for what is no holder: a file that a power cut has torn */
function readHolder(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function thisProcess(token: string): Holder {
  const { pid } = process;
  return { pid, host: hostname(), place: placeOfThis(), began: beginningOf(pid), token };
}

/** True if this process can tell whether that one is alive. */
function isNear({ place }: Holder): boolean {
  return place === placeOfThis();
}

/** Of a process that is near: true if it is alive, and not this one. */
function isAliveElsewhere({ pid, began }: Holder): boolean {
  if (pid === process.pid || !isAlive(pid)) return false;
  const now = beginningOf(pid);
  return now === undefined || began === undefined || now === began;
}

/** One boot of one machine, and of that the host or one container: two containers may have the same name. */
function placeOfThis(): string {
  const boot = textOrNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const processes = textOrNothing(() => readlinkSync('/proc/self/ns/pid'));
  return boot && processes ? `${boot} ${processes}` : hostname();
}

/** In ticks since the start of the machine; undefined where the system does not tell. */
function beginningOf(pid: number): string | undefined {
  const text = textOrNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // What stands before the last parenthesis is the program's name, with whatever is in it; the 22nd field is the time.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

function textOrNothing(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** True if a process of this number runs on this machine, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

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
