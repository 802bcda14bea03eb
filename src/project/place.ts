import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { recordFolder } from '../plan/manifest.js';
import { removeIfEmpty } from './changes/remove-if-empty.js';
import type { Staging } from './staging.js';
import { statsOf } from './stats-of.js';

interface Journal {
  /** Paths that the target did not have. */
  added: string[];
  /** Paths that it had. */
  replaced: string[];
  /** Files that go. */
  removed: string[];
}

/**
 * Moves the finished tree into place: in one step if the target does not exist, else path by path with a journal.
 * Synchronous, so that no signal comes between the steps.
 * @param removed files of the target that go
 */
export function placeTree(staging: Staging, targetExists: boolean, removed: string[]): void {
  if (!targetExists) {
    renameSync(staging.fresh, staging.target);
    return;
  }
  const journal = { added: [], replaced: [], removed };
  collectMoves(staging, '', journal);
  writeFileSync(journalOf(staging), JSON.stringify(journal));
  for (const path of [...journal.replaced, ...removed]) {
    move(staging.target, staging.replaced, path);
  }
  for (const path of [...journal.replaced, ...journal.added]) {
    move(staging.fresh, staging.target, path);
  }
  // From here on the new tree is the truth: an undo would only lose it.
  rmSync(journalOf(staging));
  for (const path of removed) removeEmptyAbove(staging.target, path);
}

/** Puts the target back as it was; does nothing if no move had begun or all were done. */
export function undoPlacing(staging: Staging): void {
  if (!existsSync(journalOf(staging))) return;
  const journal = JSON.parse(readFileSync(journalOf(staging), 'utf8')) as Partial<Journal>;
  const { added = [], replaced = [], removed = [] } = journal;
  for (const path of [...added, ...replaced]) {
    const wasMovedIn = !existsSync(join(staging.fresh, path));
    if (wasMovedIn) rmSync(join(staging.target, path), { recursive: true, force: true });
  }
  for (const path of [...replaced, ...removed]) {
    if (existsSync(join(staging.replaced, path))) move(staging.replaced, staging.target, path);
  }
}

function collectMoves(staging: Staging, folder: string, journal: Journal): void {
  for (const name of readdirSync(join(staging.fresh, folder))) {
    const path = join(folder, name);
    const there = statsOf(join(staging.target, path));
    if (!there) journal.added.push(path);
    else if (there.isDirectory() && path !== recordFolder) collectMoves(staging, path, journal);
    else journal.replaced.push(path);
  }
}

function move(from: string, to: string, path: string): void {
  mkdirSync(dirname(join(to, path)), { recursive: true });
  renameSync(join(from, path), join(to, path));
}

function removeEmptyAbove(target: string, path: string): void {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    removeIfEmpty(join(target, folder));
  }
}

function journalOf(staging: Staging): string {
  return join(staging.path, 'journal.json');
}
