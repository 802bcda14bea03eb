import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readProjectFile } from '../read-file.js';
import { settle } from './durable.js';
import type { Journal, JournalEntry } from './journal.js';
import type { Lock } from './lock.js';
import { changedMeanwhile, isSame } from './look.js';
import { removeIfEmpty } from './remove-if-empty.js';
import { stagedPath } from './staged-path.js';

// Between two batches signals are taken.
const filesPerBatch = 16;

/**
 * Moves the staged files in place, in the order of the journal, and removes those that go.
 * @throws UserError if somebody has changed one of them just before
 */
export async function replaceFiles(root: string, journal: Journal, lock: Lock): Promise<void> {
  for (const [position, entry] of journal.entries.entries()) {
    lock.check();
    replaceFile(root, journal, entry);
    if (position % filesPerBatch === 0) await setImmediate();
  }
  for (const { path } of [...journal.leftFolders].reverse()) removeIfEmpty(join(root, path));
  const changed = [...journal.entries, ...journal.leftFolders];
  const folders = new Set(changed.map(({ path }) => dirname(join(root, path))));
  await settle([...folders].filter((folder) => existsSync(folder)));
}

function replaceFile(root: string, journal: Journal, { path, before, after }: JournalEntry): void {
  if (!isSame(before, readProjectFile(root, path))) throw changedMeanwhile(path);
  if (after) renameSync(stagedPath(root, path, journal), join(root, path));
  else rmSync(join(root, path));
}
