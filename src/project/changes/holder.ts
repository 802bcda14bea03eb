import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod/mini';
import { isAlive } from '../is-alive.js';

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
export type Holder = z.infer<typeof holderSchema>;

/** @returns undefined for what is no holder: a file that a power cut has torn */
export function readHolder(text: string): Holder | undefined {
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
export function isNear({ place }: Holder): boolean {
  return place === placeOfThis();
}

/** Of a process that is near: true if it is alive, and not this one. */
export function isAliveElsewhere({ pid, began }: Holder): boolean {
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
