import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemCode, UserError } from '../../errors.js';
import { statsOf } from '../read-file.js';
import { type FileToWrite, writeTree } from '../write-tree.js';
import { allOrNothing } from './all-or-nothing.js';
import { isAlive } from './holder.js';
import { removeIfEmpty } from './work-folder.js';

/**
 * Writes a folder that does not exist yet: under another name beside its place, then moved in one step. So no journal
 * is needed; a killed run leaves only that one folder.
 * @throws UserError if a write fails; then nothing is left, not even the folders above that were made for it
 */
export async function makeFolder(target: string, files: FileToWrite[]): Promise<void> {
  const draft = join(dirname(target), draftName(target, process.pid));
  let firstMade: string | undefined;
  let isOurs = false;
  const undo = () => {
    if (isOurs) rmSync(draft, { recursive: true, force: true });
    if (firstMade === undefined) return;
    for (let folder = dirname(target); folder.startsWith(firstMade); folder = dirname(folder)) {
      removeIfEmpty(folder);
    }
  };
  await allOrNothing({ root: target, undo, whenInterrupted: undo }, async () => {
    for (const folder of missingAbove(target)) {
      if (makeOne(folder)) firstMade ??= folder;
    }
    isOurs = makeOne(draft);
    if (!isOurs) throw busy(draft);
    await writeTree(draft, files);
    // A signal that came during planning or writing is handled here at the latest, and nothing is left. Signals are
    // handled between turns of the event loop, and the first of the two may still belong to this turn.
    await setImmediate();
    await setImmediate();
    renameSync(draft, target);
  });
}

/** The folders on the way to a path that do not exist, from the top. */
function missingAbove(path: string): string[] {
  const parent = dirname(path);
  return statsOf(parent) ? [] : [...missingAbove(parent), parent];
}

/**
 * One folder at a time: where nobody can make folders, as below /proc, a recursive mkdir never returns in Node 20.
 * @returns false if another run has just made it
 * @throws UserError in such a place
 */
function makeOne(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT') throw error;
    throw new UserError(
      `No folder can be created in ${dirname(folder)}. Nothing was changed.`,
      'Choose another place.',
    );
  }
}

function busy(draft: string): UserError {
  return new UserError(
    'Another create-auth-service is making this folder. Nothing was changed.',
    `Wait until it is done. If it is no longer running, delete ${draft}`,
  );
}

/** Removes what killed runs have left of a folder that they were making. Those of live runs are left alone. */
export function removeDrafts(target: string): void {
  const parent = dirname(target);
  if (!statsOf(parent)?.isDirectory()) return;
  for (const name of readdirSync(parent)) {
    const pid = Number(/\d+$/.exec(name)?.[0]);
    if (name !== draftName(target, pid)) continue;
    // A run in a container may have had the id that this one has now.
    if (pid !== process.pid && isAlive(pid)) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function draftName(target: string, pid: number): string {
  return `.${basename(target)}.create-auth-service-${pid}`;
}
