import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Of } from '../../plan/manifest.js';
import {
  type ProjectFile,
  readAnyFile,
  readProjectFile,
  statsOf,
  statsWithin,
} from '../read-file.js';
import { isSame, refuseReadOnly } from './current-files.js';
import { writeDurably } from './durable.js';
import { type Journal, type JournalEntry, stagedPath } from './journal.js';
import type { Lock } from './lock.js';
import { removeIfEmpty, workFolder } from './work-folder.js';

/**
 * Restores every file as it was before the change, byte for byte. What somebody has written since is not lost: it is
 * kept beside it as `<file>.kept`. Can be repeated if it was interrupted.
 * @returns the kept files
 * @throws UserError if something stands in the way; then nothing has been touched
 */
export function rollBack(root: string, journal: Journal, lock: Lock): string[] {
  // The manifest was written last, so it goes first: until all is restored it must not claim a finished change.
  const steps = stepsBack(root, journal).reverse();
  const kept = steps.flatMap(({ entry, file }) => {
    lock.check();
    return putBack(root, entry, file);
  });
  rmSync(stagedPath(root, ''), { recursive: true, force: true });
  for (const folder of [...journal.madeFolders].reverse()) removeIfEmpty(join(root, folder));
  for (const { path, mode } of journal.leftFolders) restoreMode(join(root, path), mode);
  return kept;
}

/**
 * The entries to restore, each with the file that is there now.
 * @throws UserError if something stands in the way
 */
export function stepsBack(
  root: string,
  { entries, madeFolders, leftFolders, state }: Journal,
): { entry: JournalEntry; file: ProjectFile | undefined }[] {
  const touched = [...entries, ...leftFolders].map(({ path }) => path);
  for (const path of [...touched, ...madeFolders]) statsWithin(root, path);
  const steps = entries
    .filter((entry) => wasReplaced(root, state, entry))
    .map((entry) => ({ entry, file: readProjectFile(root, entry.path) }))
    .filter(({ entry, file }) => !isSame(entry.before, file));
  refuseReadOnly(
    root,
    steps.map(({ entry: { path } }) => path),
  );
  return steps;
}

/**
 * True if the change has reached the file. While files are being moved into place, the new text of those not yet
 * reached still waits.
 */
function wasReplaced(
  root: string,
  state: Journal['state'],
  { path, after }: JournalEntry,
): boolean {
  if (state === 'staging') return false;
  if (state !== 'replacing') return true;
  return after ? !existsSync(stagedPath(root, path)) : statsOf(join(root, path)) === undefined;
}

function putBack(
  root: string,
  { path, before, after }: JournalEntry,
  file: ProjectFile | undefined,
): string[] {
  const target = join(root, path);
  const isOurs = file !== undefined && after?.sha256 === sha256Of(file.content);
  const isAsBefore = file !== undefined && before?.sha256 === sha256Of(file.content);
  const kept = file && !isOurs && !isAsBefore ? keepBeside(root, path, file) : [];
  if (!before) {
    rmSync(target, { force: true });
    return kept;
  }
  mkdirSync(dirname(target), { recursive: true });
  const old = join(root, workFolder, 'old');
  rmSync(old, { force: true });
  writeDurably(old, Buffer.from(before.text, 'base64'));
  chmodSync(old, before.mode);
  renameSync(old, target);
  return kept;
}

function keepBeside(root: string, path: string, { content, mode }: ProjectFile): string[] {
  for (let number = 1; ; number++) {
    const beside = number === 1 ? `${path}.kept` : `${path}.kept-${number}`;
    // Kept by an earlier, interrupted attempt.
    if (readAnyFile(root, beside)?.content.equals(content)) return [beside];
    if (statsOf(join(root, beside))) continue;
    writeDurably(join(root, beside), content, mode);
    return [beside];
  }
}

function restoreMode(folder: string, mode: number): void {
  const stats = statsOf(folder);
  if (stats && (stats.mode & 0o7777) !== mode) chmodSync(folder, mode);
}
